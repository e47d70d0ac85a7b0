import type { CredentialFiles, HookName, ServiceRole, SubjectRole, VariantName } from './target.ts'

/** A command in a target file. */
interface CommandDocument {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

export interface TimedCommandDocument extends CommandDocument {
  readonly command: readonly string[]
  readonly within?: string
}

/** The command of an agent or a tenant. */
export interface SubjectDocument extends TimedCommandDocument {
  /** Only for a pull agent. */
  readonly payload?: string
  /** Only for a pull agent and a tenant. */
  readonly default_tls?: readonly string[]
  /** Only for a pull agent. */
  readonly with_host?: readonly string[]
  /** Only for agents. */
  readonly other_algorithms?: readonly string[]
}

interface InstallDocument extends CommandDocument {
  readonly install: readonly string[]
  readonly within?: string
}

/** A role in a valid target file, defaults filled in. */
export interface RoleDocument {
  readonly url: string
  /** Only for a registrar. */
  readonly http?: string
  readonly start?: CommandDocument & {
    readonly command: readonly string[]
    readonly ready: { readonly path: string; readonly within: string }
  }
  /** By name. */
  readonly variants?: Readonly<Partial<Record<VariantName, VariantDocument>>>
}

/** A second server of a role, with other settings. */
interface VariantDocument extends Pick<RoleDocument, 'url' | 'start'> {
  readonly time?: Readonly<Record<string, string>>
}

type RolesDocument = Readonly<Partial<Record<ServiceRole, RoleDocument>>> &
  Readonly<Partial<Record<SubjectRole, SubjectDocument>>>

export type RoleHooksDocument = Readonly<Partial<Record<HookName, TimedCommandDocument>>>

/** A valid target file in the file's own spelling, placeholders replaced and defaults filled in. */
export interface TargetDocument {
  readonly name: string
  readonly versions: readonly string[]
  readonly capabilities?: readonly string[]
  readonly roles: RolesDocument
  /** Absent if no role of the target listens. */
  readonly tls?: {
    readonly ca: string
    readonly admin: CredentialFiles
    readonly issuer?: CredentialFiles
  }
  readonly ek_trust?: 'unchecked' | 'trusted' | InstallDocument
  /** Keyed as in `TIME_LIMITS`. */
  readonly time: Readonly<Record<string, string>>
  readonly hooks: RoleHooksDocument & Readonly<Partial<Record<ServiceRole, RoleHooksDocument>>>
  readonly dialect?: string | Readonly<Record<string, string>>
  readonly profile?: string
  readonly waivers?: string
  readonly safety: {
    readonly loopback_only: boolean
    readonly requests_per_second: number
    readonly dry_run: boolean
  }
}
