import type { AgentRow, RuntimePolicyRow, VerifierDatabase } from './database.ts'
import { addPolicy, findPolicy, removePolicy } from './policy-store.ts'

/** Why an enrolment did not happen. */
export type EnrolmentConflict = 'agent_exists' | 'policy_exists' | 'policy_missing'

export interface AgentStore {
  find(agentId: string): Promise<AgentRow | undefined>
  /**
   * Adds the agent together with the runtime policy that came with it, or with the one it names.
   * All or nothing: a conflict leaves neither behind.
   */
  enrol(row: AgentRow, policy: RuntimePolicyRow | undefined): Promise<EnrolmentConflict | undefined>
  /** Removes the agent with its sessions, its attestations, and the policy kept under its own id. */
  remove(agentId: string): Promise<boolean>
}

export function agentStore(database: VerifierDatabase): AgentStore {
  return {
    find: (agentId) => findAgent(database, agentId),
    enrol: (row, policy) =>
      database.transaction().execute(async (transaction) => {
        if ((await findAgent(transaction, row.agent_id)) !== undefined) return 'agent_exists'
        const conflict = await settlePolicy(transaction, row, policy)
        if (conflict !== undefined) return conflict
        await transaction.insertInto('agents').values(row).execute()
        return undefined
      }),
    remove: (agentId) =>
      database.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('sessions').where('agent_id', '=', agentId).execute()
        await transaction.deleteFrom('attestations').where('agent_id', '=', agentId).execute()
        const agent = await findAgent(transaction, agentId)
        await transaction.deleteFrom('agents').where('agent_id', '=', agentId).execute()
        if (agent?.runtime_policy_name === agentId) await removePolicy(transaction, agentId)
        return agent !== undefined
      }),
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
): Promise<EnrolmentConflict | undefined> {
  if (policy !== undefined) {
    return (await addPolicy(transaction, policy)) ? undefined : 'policy_exists'
  }
  if (row.runtime_policy_name === null) return undefined
  const linked = await findPolicy(transaction, row.runtime_policy_name)
  return linked === undefined ? 'policy_missing' : undefined
}
