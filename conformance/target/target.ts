import type { TargetTimes } from './limits.ts'

/** A role that listens, so that a target file can name its URL. */
export type ServiceRole = 'registrar' | 'verifier'

/** A role that sends requests first: a scenario starts it, with the URLs of its servers in its environment. */
export type SubjectRole = 'pull_agent' | 'push_agent' | 'tenant' | 'tenant_web'

/** A program and its arguments, passed on unchanged (there is no shell), and its working directory. */
export interface Command {
  readonly command: readonly string[]
  /** Absolute. */
  readonly cwd: string
  /** Added to the environment of the runner. */
  readonly env: Readonly<Record<string, string>>
}

/** How Assay starts a role and detects that it is ready. */
export interface StartCommand extends Command {
  readonly ready: {
    /** Polled with GET until any HTTP answer arrives. */
    readonly path: string
    readonly withinMs: number
  }
}

/** A command that must end with code 0 within its time limit. */
export interface TimedCommand extends Command {
  readonly withinMs: number
}

/**
 * Variants that a target file can name:
 *
 * - `short_lifetimes`: a verifier whose tokens, challenges and proofs live for a few seconds.
 * - `provider`: the registrar of the hosts of virtual TPMs.
 * - `unused`: a registrar with which no agent registers, and whose versions end with 2.5.
 * - `named_authorization`: its settings have `authorization_provider = simple`, which those of the role itself do not have.
 * - `other_authorization`: its settings name an authorization provider that does not exist; it may end at its start.
 */
export const VARIANTS = [
  ...(['short_lifetimes', 'provider', 'unused'] as const),
  ...(['named_authorization', 'other_authorization'] as const),
] as const
export type VariantName = (typeof VARIANTS)[number]

/** A second server of a role with other settings, which scenarios can ask for. */
export interface RoleVariant {
  readonly name: VariantName
  readonly url: string
  /** Absent if it is already running. */
  readonly start?: StartCommand
  readonly lifetimes: Lifetimes
}

/** Configured lifetimes in milliseconds, as far as the target file gives them. */
export interface Lifetimes {
  /** Of a bearer token. */
  readonly token?: number
  /** Of the challenge of a session. */
  readonly sessionChallenge?: number
  /** Of the challenge of an attestation. */
  readonly challenge?: number
}

export interface TargetRole {
  readonly role: ServiceRole
  /** Those that the run needs. */
  readonly variants?: readonly RoleVariant[]
  /** Scheme, host and port, without a trailing slash. */
  readonly url: string
  /** The same without TLS, if the role has such a port. */
  readonly http?: string
  /** Absent if the role is already running. */
  readonly start?: StartCommand
}

/** A role that scenarios start; `withinMs` is the time limit of its task. */
export interface TargetSubject extends TimedCommand {
  readonly role: SubjectRole
  /**
   * The file of the payload that a pull agent received, with placeholders; absent if the target file does not name
   * it.
   */
  readonly payload?: string
  /** Its words when the settings of TLS are left at their defaults; absent if the target file has none. */
  readonly defaultTls?: readonly string[]
  /** What its words end with where its TPM is virtual, and it has that of its host; absent if the target file has none. */
  readonly withHost?: readonly string[]
  /** What its words end with for keys and hashes of other algorithms; absent if the target file has none. */
  readonly otherAlgorithms?: readonly string[]
}

export const HOOK_NAMES = ['restart', 'stop', 'start', 'advance_clock', 'tail_log'] as const

/** Operations on a deployment that the interface has no request for. */
export type HookName = (typeof HOOK_NAMES)[number]

type HooksByName = Readonly<Partial<Record<HookName, TimedCommand>>>

/** Hooks of the deployment as a whole, and of each role. */
export interface TargetHooks {
  readonly general: HooksByName
  readonly roles: Readonly<Partial<Record<ServiceRole, HooksByName>>>
}

/** How the deployment comes to trust the EK certificates of the virtual TPMs. */
export type EkTrust =
  /** It does not check them. */
  | { readonly kind: 'unchecked' }
  /** The CA is already installed. */
  | { readonly kind: 'trusted' }
  /** This command installs the CA before the roles start. */
  | { readonly kind: 'install'; readonly install: TimedCommand }

/** The dialect of the deployment as the target file gives it: base and values are not checked here. */
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

/** The target of a run: every placeholder resolved, every path absolute, every default filled in. */
export interface Target {
  /** The path of the target file as given, for messages. */
  readonly file: string
  /** Absolute directory of the target file. */
  readonly directory: string
  /** The private run directory that replaced `${run}`. */
  readonly run: string
  readonly name: string
  readonly versions: readonly string[]
  readonly capabilities: readonly string[]
  /** In the order of the file, which is also the start order. */
  readonly roles: readonly TargetRole[]
  /** In the order of the file. */
  readonly subjects: readonly TargetSubject[]
  readonly tls: {
    readonly ca: string
    readonly admin: CredentialFiles
    /** The CA that issues client certificates; absent if the harness must not issue any. */
    readonly issuer?: CredentialFiles
  }
  readonly ekTrust: EkTrust
  readonly time: TargetTimes
  readonly lifetimes: Lifetimes
  readonly hooks: TargetHooks
  readonly dialect: TargetDialect
  /** Name of a deviation profile; absent: none. */
  readonly profile?: string
  /** Absolute path of the file with waivers. */
  readonly waivers?: string
  readonly safety: {
    readonly loopbackOnly: boolean
    /** 0: no limit. */
    readonly requestsPerSecond: number
    /** True if a run only lists the requests that it would send. */
    readonly dryRun: boolean
  }
}

/** Every role of a target that scenarios can test. */
export function rolesUnderTest({
  roles,
  subjects,
}: Pick<Target, 'roles' | 'subjects'>): readonly string[] {
  return [...roles, ...subjects].map(({ role }) => role)
}
