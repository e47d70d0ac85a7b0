import type { TargetTimes } from './limits.ts'

/** A role that listens, so that a target file can name its URL. */
export type ServiceRole = 'registrar' | 'verifier'

/** A role that speaks first: it is started by a scenario, with the URLs it shall speak to in its environment. */
export type SubjectRole = 'pull_agent' | 'push_agent' | 'tenant'

/** A program and its arguments, handed over as they are (there is no shell), and where it runs. */
export interface Command {
  readonly command: readonly string[]
  /** Absolute. */
  readonly cwd: string
  /** Added to the environment of the runner. */
  readonly env: Readonly<Record<string, string>>
}

/** How Assay starts one role, and how it knows that it is up. */
export interface StartCommand extends Command {
  readonly ready: {
    /** Asked with GET until any HTTP answer arrives. */
    readonly path: string
    readonly withinMs: number
  }
}

/** A command that is to end by itself, with code 0, in its time. */
export interface TimedCommand extends Command {
  readonly withinMs: number
}

export interface TargetRole {
  readonly role: ServiceRole
  /** Scheme, host and port, without a trailing slash. */
  readonly url: string
  /** The same without TLS, where it has a port for that. */
  readonly http?: string
  /** Absent when the role already runs somewhere. */
  readonly start?: StartCommand
}

/** A role that scenarios start; `withinMs` is how long it may take for what it is started for. */
export interface TargetSubject extends TimedCommand {
  readonly role: SubjectRole
  /** The file in which a payload lies that a pull agent was given, placeholders and all; absent when nobody said. */
  readonly payload?: string
}

export const HOOK_NAMES = ['restart', 'stop', 'start', 'advance_clock', 'tail_log'] as const

/** What a deployment can be told to do that the interface has no request for. */
export type HookName = (typeof HOOK_NAMES)[number]

type HooksByName = Readonly<Partial<Record<HookName, TimedCommand>>>

/** Hooks for the deployment as a whole, and for one role each. */
export interface TargetHooks {
  readonly general: HooksByName
  readonly roles: Readonly<Partial<Record<ServiceRole, HooksByName>>>
}

/** How the deployment comes to trust the EK certificates of the virtual TPMs. */
export type EkTrust =
  /** It does not check them. */
  | { readonly kind: 'unchecked' }
  /** Somebody has told it already. */
  | { readonly kind: 'trusted' }
  /** This command tells it, before the roles start. */
  | { readonly kind: 'install'; readonly install: TimedCommand }

/** In which forms the deployment is spoken to, as the target file says it: neither base nor values are checked here. */
export interface TargetDialect {
  readonly base: string
  readonly values: Readonly<Record<string, string>>
  /** `file:line:column` of a key's value, or of the whole entry, for messages. */
  readonly placeOf: (key?: string) => string
}

/** Paths of two PEM files: a certificate and its private key. */
export interface CredentialFiles {
  readonly certificate: string
  readonly key: string
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
  /** In the order of the file. */
  readonly subjects: readonly TargetSubject[]
  readonly tls: {
    readonly ca: string
    readonly admin: CredentialFiles
    /** The CA that client certificates come from; absent when the judge is not to make any. */
    readonly issuer?: CredentialFiles
  }
  readonly ekTrust: EkTrust
  readonly time: TargetTimes
  readonly hooks: TargetHooks
  readonly dialect: TargetDialect
  /** Name of a deviation profile; absent when the document alone rules. */
  readonly profile?: string
  /** Absolute path of the file with waivers. */
  readonly waivers?: string
  readonly safety: {
    readonly loopbackOnly: boolean
    /** 0 when there is no cap. */
    readonly requestsPerSecond: number
    /** True when a run shall only tell what it would send. */
    readonly dryRun: boolean
  }
}

/** Every role of a target that scenarios can judge. */
export function rolesUnderTest({
  roles,
  subjects,
}: Pick<Target, 'roles' | 'subjects'>): readonly string[] {
  return [...roles, ...subjects].map(({ role }) => role)
}
