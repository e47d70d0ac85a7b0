import { closeSync, mkdirSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import { Kysely, type Migration, Migrator, SqliteDialect } from 'kysely'
import Libsql from 'libsql'
import { StartFault } from '../errors.ts'
import { REGISTRAR_MIGRATIONS, VERIFIER_MIGRATIONS } from './migrations.ts'
import { rememberReads } from './remember-reads.ts'

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
  /** The `auth_tag` of whoever opens the last blob. */
  readonly expected_tag: string
  /** JSON of the members that the next activation puts in place; null when there are none. */
  readonly pending: string | null
}

export interface AgentRow {
  readonly agent_id: string
  /** Random name of this enrolment: an agent that was deleted and added again has another. */
  readonly enrolment: string
  readonly operational_state: number
  readonly v: string | null
  readonly ip: string | null
  readonly port: string | null
  readonly ak_tpm: string
  readonly tpm_policy: string
  /** Kept and shown; no virtual TPM is judged here. */
  readonly vtpm_policy: string
  readonly meta_data: string
  /** Name of the boot policy it is judged by; null when it has none. */
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
  /** Failed attestations since the agent was added or started again; a pass does not take them back. */
  readonly failures: number
  /** What `attestation_count` was when the agent was added or started again. */
  readonly started_with: number
  readonly last_received_quote: number
  readonly last_successful_attestation: number
  /** JSON of `CarriedEvidence`: where the next IMA list may start, and the TPM's last clock. */
  readonly carried: string | null
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
  /** JSON of `CarriedEvidence`: what the starting offset was chosen from. */
  readonly carried: string | null
  readonly system_info: string
  readonly capabilities_received_at: number
  readonly challenges_expire_at: number
  readonly evidence_received_at: number | null
  readonly verification_completed_at: number | null
}

export interface RegistrarSchema {
  readonly registrations: RegistrationRow
}

export interface VerifierSchema {
  readonly agents: AgentRow
  readonly runtime_policies: RuntimePolicyRow
  readonly boot_policies: BootPolicyRow
  readonly sessions: SessionRow
  readonly attestations: AttestationRow
}

export type RegistrarDatabase = Kysely<RegistrarSchema>
export type VerifierDatabase = Kysely<VerifierSchema>

const ANOTHER_FILE = 'move the file away or give another one with --set database=FILE'

/** Path of a component's SQLite file; the state directory is made when it is missing. */
export function databaseFile(config: {
  readonly database: string
  readonly state_dir: string
}): string {
  if (config.database === ':memory:') return config.database
  mkdirSync(config.state_dir, { recursive: true, mode: 0o700 })
  return resolve(config.state_dir, config.database)
}

export function openRegistrarDatabase(file: string): Promise<RegistrarDatabase> {
  return open<RegistrarSchema>(file, REGISTRAR_MIGRATIONS)
}

export function openVerifierDatabase(file: string): Promise<VerifierDatabase> {
  return open<VerifierSchema>(file, VERIFIER_MIGRATIONS)
}

async function open<Schema>(
  file: string,
  migrations: Readonly<Record<string, Migration>>,
): Promise<Kysely<Schema>> {
  const dialect = new SqliteDialect({ database: rememberReads(connect(file)) })
  const database = new Kysely<Schema>({ dialect })
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
  })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return database
  await database.destroy()
  throw new StartFault(
    `the database ${file} cannot be brought to this version's tables`,
    ANOTHER_FILE,
    error,
  )
}

function connect(file: string): Libsql.Database {
  try {
    if (file !== ':memory:') reserve(file)
    const connection = new Libsql(file)
    connection.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000',
    )
    return connection
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'SQLITE_NOTADB') {
      throw new StartFault(`${file} is not a database`, ANOTHER_FILE, cause)
    }
    throw new StartFault(
      `the database ${file} cannot be opened`,
      'check that its directory exists and is writable',
      cause,
    )
  }
}

/** SQLite makes files that everybody may read; V keys and revocation keys lie in this one (CVE-2022-23952). */
function reserve(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
}
