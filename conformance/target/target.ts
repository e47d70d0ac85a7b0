import type { Role } from '../report/result.ts'

/** A role that listens, so that a target file can name its URL. */
export type ServiceRole = Exclude<Role, 'agent'>

/** How Assay starts one role, and how it knows that it is up. */
export interface StartCommand {
  /** A program and its arguments, handed over as they are: there is no shell. */
  readonly command: readonly string[]
  /** Absolute. */
  readonly cwd: string
  /** Added to the environment of the runner. */
  readonly env: Readonly<Record<string, string>>
  readonly ready: {
    /** Asked with GET until any HTTP answer arrives. */
    readonly path: string
    readonly withinMs: number
  }
}

export interface TargetRole {
  readonly role: ServiceRole
  /** Scheme, host and port, without a trailing slash. */
  readonly url: string
  /** Absent when the role already runs somewhere. */
  readonly start?: StartCommand
}

/** What is judged, as its target file says: every placeholder resolved, every path absolute, every default filled in. */
export interface Target {
  /** The target file as the person wrote it, for messages. */
  readonly file: string
  /** Absolute directory of the target file. */
  readonly directory: string
  /** The private run directory that `${run}` stood for. */
  readonly run: string
  readonly name: string
  readonly versions: readonly string[]
  readonly capabilities: readonly string[]
  /** In the order of the file, which is the order in which they are started. */
  readonly roles: readonly TargetRole[]
  readonly tls: {
    readonly ca: string
    readonly admin: { readonly certificate: string; readonly key: string }
  }
  readonly time: { readonly quoteIntervalMs: number; readonly verdictWithinMs: number }
  readonly safety: {
    readonly loopbackOnly: boolean
    /** 0 when there is no cap. */
    readonly requestsPerSecond: number
  }
}
