import type {
  AgentRow,
  BootPolicyRow,
  RuntimePolicyRow,
  VerifierDatabase,
} from './databases/database.ts'
import { prepareQuery } from './databases/prepare-query.ts'
import {
  addPolicy,
  holdPolicy,
  POLICY_LINKS,
  type PolicyTable,
  removePolicy,
} from './policy-store.ts'

/** Why an enrolment did not happen. */
export type EnrolmentConflict =
  | 'agent_exists'
  | 'policy_exists'
  | 'policy_missing'
  | 'boot_policy_exists'
  | 'boot_policy_missing'

/** The columns that decide whether an agent is polled. */
export type PolledAgent = Pick<
  AgentRow,
  'agent_id' | 'mode' | 'operational_state' | 'severity_level' | 'verifier_id'
>

export interface AgentStore {
  find(agentId: string): Promise<AgentRow | undefined>
  /**
   * Adds the agent together with the policies that came with it, or with those it names.
   * All or nothing: a conflict leaves none of them behind.
   */
  enrol(
    row: AgentRow,
    policy: RuntimePolicyRow | undefined,
    bootPolicy?: BootPolicyRow,
  ): Promise<EnrolmentConflict | undefined>
  /** Changes the current row of an agent; false if it does not exist, or if `change` returns no changes. */
  change(
    agentId: string,
    change: (agent: AgentRow) => Partial<AgentRow> | undefined,
  ): Promise<boolean>
  /** Every agent, by its id; of one verifier where it is named. */
  list(verifierId?: string): Promise<readonly AgentRow[]>
  /** The agents that are polled, by any verifier. */
  polled(): Promise<readonly PolledAgent[]>
  /**
   * Removes the agent with its attestations and the policies kept under its own id; its tokens end with its enrolment.
   * Where an enrolment is named an agent of another one stays.
   */
  remove(agentId: string, enrolment?: string): Promise<boolean>
}

export function agentStore(database: VerifierDatabase): AgentStore {
  const find = prepareQuery(database, (on, { agent_id }: Pick<AgentRow, 'agent_id'>) =>
    agentNamed(on, agent_id),
  )
  return {
    find: (agent_id) => find.first({ agent_id }),
    async enrol(row, policy, bootPolicy) {
      try {
        await database.transaction().execute(async (transaction) => {
          if (!(await insertAgent(transaction, row))) throw new Conflict('agent_exists')
          await settlePolicy(transaction, row, policy)
          await settleBootPolicy(transaction, row, bootPolicy)
        })
        return undefined
      } catch (error) {
        if (error instanceof Conflict) return error.conflict
        throw error
      }
    },
    change: (agentId, change) =>
      database.transaction().execute(async (transaction) => {
        const agent = await holdAgent(transaction, agentId)
        if (agent === undefined) return false
        const changed = change(agent)
        if (changed === undefined) return false
        const update = transaction.updateTable('agents').set(changed)
        await update.where('agent_id', '=', agentId).execute()
        return true
      }),
    list(verifierId) {
      const all = database.selectFrom('agents').selectAll().orderBy('agent_id')
      return (verifierId === undefined ? all : all.where('verifier_id', '=', verifierId)).execute()
    },
    polled: () =>
      database
        .selectFrom('agents')
        .select(['agent_id', 'mode', 'operational_state', 'severity_level', 'verifier_id'])
        .where('mode', '=', 'pull')
        .execute(),
    remove: (agentId, enrolment) =>
      database.transaction().execute(async (transaction) => {
        const agent = await holdAgent(transaction, agentId)
        if (agent === undefined || (enrolment ?? agent.enrolment) !== agent.enrolment) return false
        await transaction.deleteFrom('attestations').where('agent_id', '=', agentId).execute()
        await transaction.deleteFrom('claims').where('agent_id', '=', agentId).execute()
        await transaction.deleteFrom('agents').where('agent_id', '=', agentId).execute()
        await removeOwnPolicies(transaction, agent)
        return true
      }),
  }
}

/** Thrown inside a transaction to roll it back. */
class Conflict extends Error {
  readonly conflict: EnrolmentConflict

  constructor(conflict: EnrolmentConflict) {
    super(conflict)
    this.conflict = conflict
  }
}

/**
 * Inside a transaction: locks the agent row until the end of it. A transaction that changes what
 * hangs on an agent holds it first, and policies after it, so that no two wait for each other.
 */
function holdAgent(transaction: VerifierDatabase, agentId: string): Promise<AgentRow | undefined> {
  return agentNamed(transaction, agentId).forUpdate().executeTakeFirst()
}

/** The query for the agent of that id. */
export function agentNamed(database: VerifierDatabase, agentId: string) {
  return database.selectFrom('agents').selectAll().where('agent_id', '=', agentId)
}

/** False when there is one of that id. */
async function insertAgent(transaction: VerifierDatabase, row: AgentRow): Promise<boolean> {
  const result = await transaction
    .insertInto('agents')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

async function settlePolicy(
  transaction: VerifierDatabase,
  row: AgentRow,
  policy: RuntimePolicyRow | undefined,
): Promise<void> {
  if (policy !== undefined) {
    const isAdded = await addPolicy(transaction, 'runtime_policies', policy)
    if (!isAdded) throw new Conflict('policy_exists')
  } else if (row.runtime_policy_name !== null) {
    const isThere = await holdPolicy(transaction, 'runtime_policies', row.runtime_policy_name)
    if (!isThere) throw new Conflict('policy_missing')
  }
}

async function settleBootPolicy(
  transaction: VerifierDatabase,
  row: AgentRow,
  policy: BootPolicyRow | undefined,
): Promise<void> {
  if (policy !== undefined) {
    const isAdded = await addPolicy(transaction, 'boot_policies', policy)
    if (!isAdded) throw new Conflict('boot_policy_exists')
  } else if (row.mb_policy_name !== null) {
    const isThere = await holdPolicy(transaction, 'boot_policies', row.mb_policy_name)
    if (!isThere) throw new Conflict('boot_policy_missing')
  }
}

async function removeOwnPolicies(transaction: VerifierDatabase, agent: AgentRow): Promise<void> {
  for (const [table, link] of Object.entries(POLICY_LINKS) as [PolicyTable, keyof AgentRow][])
    if (agent[link] === agent.agent_id) await removePolicy(transaction, table, agent.agent_id)
}
