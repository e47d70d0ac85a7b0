import { type Kysely, type Migration, sql } from 'kysely'
import { addPolicyDigests, countEvidence } from './counting-migrations.ts'

/** Keys are the order; a released migration is never edited, only followed by another. */
export const REGISTRAR_MIGRATIONS: Readonly<Record<string, Migration>> = {
  '001-registrations': {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('registrations')
        .addColumn('agent_id', 'text', (column) => column.primaryKey())
        .addColumn('ek_tpm', 'text', (column) => column.notNull())
        .addColumn('ekcert', 'text')
        .addColumn('aik_tpm', 'text', (column) => column.notNull())
        .addColumn('mtls_cert', 'text')
        .addColumn('ip', 'text')
        .addColumn('port', 'integer')
        .addColumn('regcount', 'integer', (column) => column.notNull())
        .addColumn('active', 'integer', (column) => column.notNull())
        .addColumn('expected_tag', 'text', (column) => column.notNull())
        .execute()
    },
  },
  '002-pending-contact': {
    up: async (db: Kysely<unknown>) => {
      await db.schema.alterTable('registrations').addColumn('pending', 'text').execute()
    },
  },
}

export const VERIFIER_MIGRATIONS: Readonly<Record<string, Migration>> = {
  '001-agents-policies-sessions-attestations': {
    up: async (db: Kysely<unknown>) => {
      await createAgents(db)
      await createRuntimePolicies(db)
      await createSessions(db)
      await createAttestations(db)
    },
  },
  '002-enrolments': {
    up: async (db: Kysely<unknown>) => {
      await addEnrolment(db, 'agents')
      await addEnrolment(db, 'attestations')
      await db.schema.alterTable('attestations').addColumn('carried', 'text').execute()
      await db.schema
        .createIndex('sessions_by_expiry')
        .on('sessions')
        .column('challenges_expire_at')
        .execute()
    },
  },
  '003-boot-policies': {
    up: async (db: Kysely<unknown>) => {
      await createBootPolicies(db)
      await db.schema.alterTable('agents').addColumn('mb_policy_name', 'text').execute()
      await keepReferenceStates(db)
      await db.schema.alterTable('agents').dropColumn('mb_refstate').execute()
    },
  },
  '004-restarts': {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .alterTable('agents')
        .addColumn('started_with', 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
    },
  },
  // Earlier tokens end here: their enrolment is unknown, and agents open new sessions.
  '005-sessions-of-enrolments': {
    up: async (db: Kysely<unknown>) => {
      await db.schema.dropTable('sessions').execute()
      await createGrantedSessions(db)
    },
  },
  '006-vtpm-policies': {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .alterTable('agents')
        .addColumn('vtpm_policy', 'text', (column) => column.notNull().defaultTo('{}'))
        .execute()
    },
  },
  // The time of an agent that is there already starts with its next evidence: how long it has, no row says.
  '007-silent-agents': {
    up: async (db: Kysely<unknown>) => {
      await db.schema.alterTable('agents').addColumn('timeout_at', 'integer').execute()
    },
  },
  '008-claims': { up: createClaims },
  '009-several-verifiers': { up: addSeveralVerifiers },
  '010-long-histories': { up: countEvidence },
  '011-polling': { up: addPolling },
  '012-policy-digests': { up: addPolicyDigests },
  '013-listening': { up: createListening },
  '014-registered-again': {
    up: async (db: Kysely<unknown>) => {
      await db.schema.alterTable('agents').addColumn('regcount_silent', 'integer').execute()
    },
  },
}

/** Apart from attestations, whose rows hold evidence: a row that changes is written as a whole. */
async function createClaims(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('claims')
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('index', 'integer', (column) => column.notNull())
    .addColumn('enrolment', 'text', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('claims_key', ['agent_id', 'index', 'enrolment'])
    .execute()
  await sql`create index attestations_to_evaluate on attestations (evidence_received_at)
    where stage = 'evaluating_evidence'`.execute(db)
}

/** Of which agents each is in charge, and what all of them have to know. */
async function addSeveralVerifiers(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('agents').addColumn('verifier_id', 'text').execute()
  await db.schema.alterTable('agents').addColumn('verifier_ip', 'text').execute()
  await db.schema.alterTable('agents').addColumn('verifier_port', 'integer').execute()
  await db.schema
    .createTable('open_sessions')
    .addColumn('arrival', 'bigserial')
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('enrolment', 'text')
    .addColumn('challenge', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('challenges_expire_at', 'integer', (column) => column.notNull())
    .execute()
  for (const [name, columns] of [
    ['open_sessions_of_agent', ['agent_id', 'arrival']],
    ['open_sessions_by_expiry', ['challenges_expire_at']],
  ] as const)
    await db.schema
      .createIndex(name)
      .on('open_sessions')
      .columns([...columns])
      .execute()
  await db.schema
    .createTable('secrets')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
}

/** Earlier agents are push agents: none was ever polled. */
async function addPolling(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('agents')
    .addColumn('mode', 'text', (column) => column.notNull().defaultTo('push'))
    .execute()
  for (const [name, type] of [
    ['public_key', 'text'],
    ['severity_level', 'integer'],
    ['last_event_id', 'text'],
  ] as const)
    await db.schema.alterTable('agents').addColumn(name, type).execute()
}

async function createBootPolicies(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('boot_policies')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('mb_policy', 'text', (column) => column.notNull())
    .execute()
}

/** A reference state that an agent was added with becomes a policy under the id of that agent. */
async function keepReferenceStates(db: Kysely<unknown>): Promise<void> {
  await sql`insert into boot_policies (name, mb_policy)
    select agent_id, mb_refstate from agents where mb_refstate is not null`.execute(db)
  await sql`update agents set mb_policy_name = agent_id where mb_refstate is not null`.execute(db)
}

async function addEnrolment(db: Kysely<unknown>, table: string): Promise<void> {
  await db.schema
    .alterTable(table)
    .addColumn('enrolment', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
}

async function createAgents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('agents')
    .addColumn('agent_id', 'text', (column) => column.primaryKey())
    .addColumn('operational_state', 'integer', (column) => column.notNull())
    .addColumn('v', 'text')
    .addColumn('ip', 'text')
    .addColumn('port', 'text')
    .addColumn('ak_tpm', 'text', (column) => column.notNull())
    .addColumn('tpm_policy', 'text', (column) => column.notNull())
    .addColumn('meta_data', 'text', (column) => column.notNull())
    .addColumn('mb_refstate', 'text')
    .addColumn('runtime_policy_name', 'text')
    .addColumn('revocation_key', 'text', (column) => column.notNull())
    .addColumn('ima_sign_verification_keys', 'text', (column) => column.notNull())
    .addColumn('mtls_cert', 'text')
    .addColumn('supported_version', 'text', (column) => column.notNull())
    .addColumn('accept_tpm_hash_algs', 'text', (column) => column.notNull())
    .addColumn('accept_tpm_encryption_algs', 'text', (column) => column.notNull())
    .addColumn('accept_tpm_signing_algs', 'text', (column) => column.notNull())
    .addColumn('hash_alg', 'text', (column) => column.notNull())
    .addColumn('enc_alg', 'text', (column) => column.notNull())
    .addColumn('sign_alg', 'text', (column) => column.notNull())
    .addColumn('attestation_count', 'integer', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('last_received_quote', 'integer', (column) => column.notNull())
    .addColumn('last_successful_attestation', 'integer', (column) => column.notNull())
    .addColumn('carried', 'text')
    .execute()
}

async function createRuntimePolicies(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('runtime_policies')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('tpm_policy', 'text')
    .addColumn('runtime_policy', 'text', (column) => column.notNull())
    .execute()
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('challenge', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('challenges_expire_at', 'integer', (column) => column.notNull())
    .addColumn('answered', 'integer', (column) => column.notNull())
    .addColumn('token_hash', 'text')
    .addColumn('token_expires_at', 'integer')
    .execute()
  await db.schema.createIndex('sessions_of_agent').on('sessions').column('agent_id').execute()
}

async function createGrantedSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('enrolment', 'text', (column) => column.notNull())
    .addColumn('granted_at', 'integer', (column) => column.notNull())
    .addColumn('token_hash', 'text', (column) => column.notNull())
    .addColumn('token_expires_at', 'integer', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('sessions_of_agent').on('sessions').column('agent_id').execute()
  await db.schema
    .createIndex('sessions_by_expiry')
    .on('sessions')
    .column('token_expires_at')
    .execute()
}

async function createAttestations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('attestations')
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('index', 'integer', (column) => column.notNull())
    .addColumn('stage', 'text', (column) => column.notNull())
    .addColumn('evaluation', 'text', (column) => column.notNull())
    .addColumn('failure_reason', 'text')
    .addColumn('findings', 'text', (column) => column.notNull())
    .addColumn('evidence', 'text', (column) => column.notNull())
    .addColumn('system_info', 'text', (column) => column.notNull())
    .addColumn('capabilities_received_at', 'integer', (column) => column.notNull())
    .addColumn('challenges_expire_at', 'integer', (column) => column.notNull())
    .addColumn('evidence_received_at', 'integer')
    .addColumn('verification_completed_at', 'integer')
    .addPrimaryKeyConstraint('attestations_key', ['agent_id', 'index'])
    .execute()
}

async function createListening(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('listening')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('until', 'integer', (column) => column.notNull())
    .execute()
}
