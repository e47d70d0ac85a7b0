import type {
  AgentRow,
  AttestationRow,
  RuntimePolicyRow,
  SessionRow,
  VerifierDatabase,
} from './database.ts'

/** What the verifier keeps. Rows go in and out whole; JSON members are the callers' business. */
export interface VerifierStore {
  readonly agents: AgentStore
  readonly policies: PolicyStore
  readonly sessions: SessionStore
  readonly attestations: AttestationStore
  close(): Promise<void>
}

export interface AgentStore {
  find(agentId: string): Promise<AgentRow | undefined>
  /** False when the id is taken. */
  add(row: AgentRow): Promise<boolean>
  update(agentId: string, change: Partial<AgentRow>): Promise<void>
  /** Removes the agent with its sessions and attestations. */
  remove(agentId: string): Promise<boolean>
  /** Ids of agents that use the named runtime policy. */
  usersOf(policyName: string): Promise<readonly string[]>
}

export interface PolicyStore {
  find(name: string): Promise<RuntimePolicyRow | undefined>
  names(): Promise<readonly string[]>
  /** False when the name is taken. */
  add(row: RuntimePolicyRow): Promise<boolean>
  remove(name: string): Promise<boolean>
}

export interface SessionStore {
  find(id: string): Promise<SessionRow | undefined>
  add(row: SessionRow): Promise<void>
  /** Marks the challenge as answered; false when somebody answered it before: one answer per challenge. */
  claim(id: string): Promise<boolean>
  grant(id: string, tokenHash: string, expiresAt: number): Promise<void>
  extend(agentId: string, expiresAt: number, now: number): Promise<void>
  removeExpired(now: number): Promise<void>
}

export interface AttestationStore {
  find(agentId: string, index: number): Promise<AttestationRow | undefined>
  latest(agentId: string): Promise<AttestationRow | undefined>
  list(agentId: string): Promise<readonly AttestationRow[]>
  /** Gives the row the agent's next index, starting at 0. */
  append(row: Omit<AttestationRow, 'index'>): Promise<AttestationRow>
  /** Changes the row only while it is at `stage`; false when it moved on meanwhile. */
  advance(row: AttestationRow, stage: string, change: Partial<AttestationRow>): Promise<boolean>
  inStage(stage: string): Promise<readonly AttestationRow[]>
}

export function verifierStore(database: VerifierDatabase): VerifierStore {
  return {
    agents: agentStore(database),
    policies: policyStore(database),
    sessions: sessionStore(database),
    attestations: attestationStore(database),
    close: () => database.destroy(),
  }
}

function agentStore(database: VerifierDatabase): AgentStore {
  return {
    find: (agentId) =>
      database.selectFrom('agents').selectAll().where('agent_id', '=', agentId).executeTakeFirst(),
    async add(row) {
      const result = await database
        .insertInto('agents')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
    },
    async update(agentId, change) {
      await database.updateTable('agents').set(change).where('agent_id', '=', agentId).execute()
    },
    remove: (agentId) =>
      database.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('sessions').where('agent_id', '=', agentId).execute()
        await transaction.deleteFrom('attestations').where('agent_id', '=', agentId).execute()
        const result = await transaction
          .deleteFrom('agents')
          .where('agent_id', '=', agentId)
          .executeTakeFirst()
        return result.numDeletedRows > 0n
      }),
    async usersOf(policyName) {
      const rows = await database
        .selectFrom('agents')
        .select('agent_id')
        .where('runtime_policy_name', '=', policyName)
        .orderBy('agent_id')
        .execute()
      return rows.map((row) => row.agent_id)
    },
  }
}

function policyStore(database: VerifierDatabase): PolicyStore {
  return {
    find: (name) =>
      database
        .selectFrom('runtime_policies')
        .selectAll()
        .where('name', '=', name)
        .executeTakeFirst(),
    async names() {
      const rows = await database
        .selectFrom('runtime_policies')
        .select('name')
        .orderBy('name')
        .execute()
      return rows.map((row) => row.name)
    },
    async add(row) {
      const result = await database
        .insertInto('runtime_policies')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
    },
    async remove(name) {
      const result = await database
        .deleteFrom('runtime_policies')
        .where('name', '=', name)
        .executeTakeFirst()
      return result.numDeletedRows > 0n
    },
  }
}

function sessionStore(database: VerifierDatabase): SessionStore {
  return {
    find: (id) =>
      database.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst(),
    async add(row) {
      await database.insertInto('sessions').values(row).execute()
    },
    async claim(id) {
      const result = await database
        .updateTable('sessions')
        .set({ answered: 1 })
        .where('id', '=', id)
        .where('answered', '=', 0)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    async grant(id, tokenHash, expiresAt) {
      await database
        .updateTable('sessions')
        .set({ token_hash: tokenHash, token_expires_at: expiresAt })
        .where('id', '=', id)
        .execute()
    },
    async extend(agentId, expiresAt, now) {
      await database
        .updateTable('sessions')
        .set({ token_expires_at: expiresAt })
        .where('agent_id', '=', agentId)
        .where('token_expires_at', '>', now)
        .execute()
    },
    async removeExpired(now) {
      await database
        .deleteFrom('sessions')
        .where('challenges_expire_at', '<=', now)
        .where((where) =>
          where.or([where('token_expires_at', 'is', null), where('token_expires_at', '<=', now)]),
        )
        .execute()
    },
  }
}

function attestationStore(database: VerifierDatabase): AttestationStore {
  const ofAgent = (agentId: string) =>
    database.selectFrom('attestations').selectAll().where('agent_id', '=', agentId)
  return {
    find: (agentId, index) => ofAgent(agentId).where('index', '=', index).executeTakeFirst(),
    latest: (agentId) => ofAgent(agentId).orderBy('index', 'desc').limit(1).executeTakeFirst(),
    list: (agentId) => ofAgent(agentId).orderBy('index').execute(),
    append: (row) =>
      database.transaction().execute(async (transaction) => {
        const last = await transaction
          .selectFrom('attestations')
          .select('index')
          .where('agent_id', '=', row.agent_id)
          .orderBy('index', 'desc')
          .limit(1)
          .executeTakeFirst()
        const numbered = { ...row, index: last === undefined ? 0 : last.index + 1 }
        await transaction.insertInto('attestations').values(numbered).execute()
        return numbered
      }),
    async advance(row, stage, change) {
      const result = await database
        .updateTable('attestations')
        .set(change)
        .where('agent_id', '=', row.agent_id)
        .where('index', '=', row.index)
        .where('stage', '=', stage)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    inStage: (stage) =>
      database
        .selectFrom('attestations')
        .selectAll()
        .where('stage', '=', stage)
        .orderBy('evidence_received_at')
        .execute(),
  }
}
