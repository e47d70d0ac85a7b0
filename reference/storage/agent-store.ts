import { addBootPolicy, findBootPolicy, removeBootPolicy } from './boot-policy-store.ts'
import type { AgentRow, BootPolicyRow, RuntimePolicyRow, VerifierDatabase } from './database.ts'
import { addPolicy, findPolicy, removePolicy } from './policy-store.ts'

/** Why an enrolment did not happen. */
export type EnrolmentConflict =
  | 'agent_exists'
  | 'policy_exists'
  | 'policy_missing'
  | 'boot_policy_exists'
  | 'boot_policy_missing'

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
  /** Changes an agent by what it is at that moment; false when there is none. */
  change(agentId: string, change: (agent: AgentRow) => Partial<AgentRow>): Promise<boolean>
  /** Removes the agent with its attestations and the policies kept under its own id; its tokens end with its enrolment. */
  remove(agentId: string): Promise<boolean>
}

export function agentStore(database: VerifierDatabase): AgentStore {
  return {
    find: (agentId) => findAgent(database, agentId),
    async enrol(row, policy, bootPolicy) {
      try {
        await database.transaction().execute(async (transaction) => {
          if ((await findAgent(transaction, row.agent_id)) !== undefined)
            throw new Conflict('agent_exists')
          await settlePolicy(transaction, row, policy)
          await settleBootPolicy(transaction, row, bootPolicy)
          await transaction.insertInto('agents').values(row).execute()
        })
        return undefined
      } catch (error) {
        if (error instanceof Conflict) return error.conflict
        throw error
      }
    },
    change: (agentId, change) =>
      database.transaction().execute(async (transaction) => {
        const agent = await findAgent(transaction, agentId)
        if (agent === undefined) return false
        const update = transaction.updateTable('agents').set(change(agent))
        await update.where('agent_id', '=', agentId).execute()
        return true
      }),
    remove: (agentId) =>
      database.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('attestations').where('agent_id', '=', agentId).execute()
        const agent = await findAgent(transaction, agentId)
        await transaction.deleteFrom('agents').where('agent_id', '=', agentId).execute()
        if (agent?.runtime_policy_name === agentId) await removePolicy(transaction, agentId)
        if (agent?.mb_policy_name === agentId) await removeBootPolicy(transaction, agentId)
        return agent !== undefined
      }),
  }
}

/** Thrown inside a transaction, so that what was already stored is taken back. */
class Conflict extends Error {
  readonly conflict: EnrolmentConflict

  constructor(conflict: EnrolmentConflict) {
    super(conflict)
    this.conflict = conflict
  }
}

/** Also inside a transaction. */
export function findAgent(
  database: VerifierDatabase,
  agentId: string,
): Promise<AgentRow | undefined> {
  return database
    .selectFrom('agents')
    .selectAll()
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
}

async function settlePolicy(
  transaction: VerifierDatabase,
  row: AgentRow,
  policy: RuntimePolicyRow | undefined,
): Promise<void> {
  if (policy !== undefined) {
    if (!(await addPolicy(transaction, policy))) throw new Conflict('policy_exists')
  } else if (row.runtime_policy_name !== null) {
    const linked = await findPolicy(transaction, row.runtime_policy_name)
    if (linked === undefined) throw new Conflict('policy_missing')
  }
}

async function settleBootPolicy(
  transaction: VerifierDatabase,
  row: AgentRow,
  policy: BootPolicyRow | undefined,
): Promise<void> {
  if (policy !== undefined) {
    if (!(await addBootPolicy(transaction, policy))) throw new Conflict('boot_policy_exists')
  } else if (row.mb_policy_name !== null) {
    const linked = await findBootPolicy(transaction, row.mb_policy_name)
    if (linked === undefined) throw new Conflict('boot_policy_missing')
  }
}
