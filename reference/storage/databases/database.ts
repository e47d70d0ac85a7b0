import { resolve } from 'node:path'
import { type Dialect, type Generated, Kysely, type Migration, Migrator } from 'kysely'
import { StartFault } from '../../errors.ts'
import { makeDirectories } from '../../platform/make-directories.ts'
import { REGISTRAR_MIGRATIONS, VERIFIER_MIGRATIONS } from '../migrations/migrations.ts'
import { connectPostgres } from './postgres.ts'
import { migrationFault } from './postgres-faults.ts'
import { isPostgresUrl, parsePostgresUrl } from './postgres-url.ts'
import { ANOTHER_FILE, connectSqlite, sqliteFault } from './sqlite.ts'

/** A registrar record; `active` is 1 once the TPM has opened a blob. Binary values are base64. */
export interface RegistrationRow {
  readonly agent_id: string
  readonly ek_tpm: string
  readonly ekcert: string | null
  readonly aik_tpm: string
  readonly mtls_cert: string | null
  readonly ip: string | null
  readonly port: number | null
  readonly regcount: number
  readonly active: number
  /** The `auth_tag` that proves that the last blob was opened. */
  readonly expected_tag: string
  /** JSON of the members that the next activation puts in place; null when there are none. */
  readonly pending: string | null
}

export interface AgentRow {
  readonly agent_id: string
  /** Random name of this enrolment: an agent that was deleted and added again has another. */
  readonly enrolment: string
  /** `pull`: this verifier asks it for quotes; `push`: the agent connects by itself. */
  readonly mode: string
  readonly operational_state: number
  readonly v: string | null
  readonly ip: string | null
  readonly port: string | null
  readonly ak_tpm: string
  readonly tpm_policy: string
  /** Stored and shown; virtual TPMs are not evaluated here. */
  readonly vtpm_policy: string
  readonly meta_data: string
  /** Name of its boot policy; null if it has none. */
  readonly mb_policy_name: string | null
  readonly runtime_policy_name: string | null
  readonly revocation_key: string
  readonly ima_sign_verification_keys: string
  readonly mtls_cert: string | null
  readonly supported_version: string
  /** JSON lists. */
  readonly accept_tpm_hash_algs: string
  readonly accept_tpm_encryption_algs: string
  readonly accept_tpm_signing_algs: string
  readonly hash_alg: string
  readonly enc_alg: string
  readonly sign_alg: string
  readonly attestation_count: number
  /** Failed attestations since the agent was added or started again; a pass does not reset them. */
  readonly failures: number
  /** What `attestation_count` was when the agent was added or started again. */
  readonly started_with: number
  readonly last_received_quote: number
  readonly last_successful_attestation: number
  /** Moment of the verifiers' listening time at which the agent is silent unless evidence comes; null when nothing runs out. */
  readonly timeout_at: number | null
  /** `regcount` of its registration when it was refused as silent; null when it was not, or the registrar gave none. */
  readonly regcount_silent: number | null
  /** JSON of `CarriedEvidence`: where the next IMA list may start, and the TPM's last clock. */
  readonly carried: string | null
  /** PEM of the node key of a pull agent, once a quote covered it. */
  readonly public_key: string | null
  /** Place of the severity label of the last failed poll, and its dotted type. */
  readonly severity_level: number | null
  readonly last_event_id: string | null
  /** The verifier that it was added at and that is responsible for it; null for the one there was before it had a name. */
  readonly verifier_id: string | null
  /** Where that verifier listened then. */
  readonly verifier_ip: string | null
  readonly verifier_port: number | null
}

export interface RuntimePolicyRow {
  readonly name: string
  readonly tpm_policy: string | null
  /** The policy JSON text, decoded from its base64. */
  readonly runtime_policy: string
}

export interface BootPolicyRow {
  readonly name: string
  /** The text of a JSON object. */
  readonly mb_policy: string
}

/** A challenge that waits, where several verifiers have to know of it. */
export interface OpenSessionRow {
  readonly id: string
  readonly agent_id: string
  readonly enrolment: string | null
  /** base64 */
  readonly challenge: string
  /** Milliseconds since the epoch, as `challenges_expire_at`. */
  readonly created_at: number
  readonly challenges_expire_at: number
}

/** What verifiers on one database must have in common; base64. */
interface SecretRow {
  readonly name: string
  readonly value: string
}

/** How far the time has come in which verifiers could be reached. */
interface ListeningRow {
  readonly name: string
  /** Milliseconds. */
  readonly until: number
}

/** A session whose proof passed. */
export interface SessionRow {
  readonly id: string
  readonly agent_id: string
  /** The enrolment whose key was proven; the token ends with it. */
  readonly enrolment: string
  readonly granted_at: number
  /** Keyed hash of the token; the token itself is kept nowhere. */
  readonly token_hash: string
  readonly token_expires_at: number
}

export interface AttestationRow {
  readonly agent_id: string
  readonly index: number
  /** The enrolment it was made under; indexes start again with each. */
  readonly enrolment: string
  readonly stage: string
  readonly evaluation: string
  readonly failure_reason: string | null
  /** JSON list of findings, for the log and for `failure_reason`. */
  readonly findings: string
  /** JSON: the evidence items as offered, requested and collected. */
  readonly evidence: string
  /** JSON of `CarriedEvidence`, from which the starting offset was chosen. */
  readonly carried: string | null
  readonly system_info: string
  readonly capabilities_received_at: number
  readonly challenges_expire_at: number
  readonly evidence_received_at: number | null
  readonly verification_completed_at: number | null
  /** The size of the agent's earlier attestations when this one began, as `evidence_kept` counts. */
  readonly bytes_before: number
}

/** Who evaluates an attestation; the claim of a process that ended expires. */
interface ClaimRow {
  readonly agent_id: string
  readonly index: number
  readonly enrolment: string
  readonly owner: string
  /** Moment of the verifiers' listening time. */
  readonly expires_at: number
}

interface RegistrarSchema {
  readonly registrations: RegistrationRow
}

export interface VerifierSchema {
  readonly agents: AgentRow
  /** `digest`: SHA-256 of the text, hex. */
  readonly runtime_policies: RuntimePolicyRow & { readonly digest: string }
  readonly boot_policies: BootPolicyRow
  readonly sessions: SessionRow
  /** `arrival` counts them. */
  readonly open_sessions: OpenSessionRow & { readonly arrival: Generated<number> }
  readonly secrets: SecretRow
  readonly attestations: AttestationRow
  readonly claims: ClaimRow
  readonly listening: ListeningRow
}

export type RegistrarDatabase = Kysely<RegistrarSchema>
export type VerifierDatabase = Kysely<VerifierSchema>

/** An open database, and the error for tables of another version. */
export interface Place {
  readonly dialect: Dialect
  migrationFault(cause: unknown): StartFault
}

/**
 * The meaning of the setting `database`: `:memory:`, a `postgres://` URL, or the path of a SQLite file, whose state
 * directory is made when it is missing.
 */
export function databaseOf(config: {
  readonly database: string
  readonly state_dir: string
}): string {
  if (config.database === ':memory:' || isPostgresUrl(config.database)) return config.database
  const [scheme] = /^\w+(?=:\/\/)/.exec(config.database) ?? []
  if (scheme !== undefined)
    throw new StartFault(
      `the database URL begins with ${scheme}://, which is not supported`,
      'give a postgres:// URL, or the name of a SQLite file',
    )
  makeDirectories(config.state_dir)
  return resolve(config.state_dir, config.database)
}

export function openRegistrarDatabase(database: string): Promise<RegistrarDatabase> {
  return open(database, migrateRegistrar)
}

export function openVerifierDatabase(database: string): Promise<VerifierDatabase> {
  return open(database, migrateVerifier)
}

/** Brings the tables of a registrar to this version. */
export function migrateRegistrar(place: Place): Promise<RegistrarDatabase> {
  return migrate<RegistrarSchema>(place, REGISTRAR_MIGRATIONS)
}

/** Brings the tables of a verifier to this version. */
export function migrateVerifier(place: Place): Promise<VerifierDatabase> {
  return migrate<VerifierSchema>(place, VERIFIER_MIGRATIONS)
}

async function open<T>(database: string, migrated: (place: Place) => Promise<T>): Promise<T> {
  return migrated(await (isPostgresUrl(database) ? postgresPlace : sqlitePlace)(database))
}

async function postgresPlace(url: string): Promise<Place> {
  const place = parsePostgresUrl(url)
  return {
    dialect: await connectPostgres(place),
    migrationFault: (cause) => migrationFault(place, cause),
  }
}

async function sqlitePlace(file: string): Promise<Place> {
  return {
    dialect: connectSqlite(file),
    migrationFault: (cause) =>
      sqliteFault(file, cause) ??
      new StartFault(
        `the database ${file} cannot be brought to this version's tables`,
        ANOTHER_FILE,
        cause,
      ),
  }
}

async function migrate<Schema>(
  { dialect, migrationFault }: Place,
  migrations: Readonly<Record<string, Migration>>,
): Promise<Kysely<Schema>> {
  const database = new Kysely<Schema>({ dialect })
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
  })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return database
  await database.destroy()
  throw migrationFault(error)
}
