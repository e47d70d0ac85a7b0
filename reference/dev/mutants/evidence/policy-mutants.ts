import { agentStore } from '../../../storage/agent-store.ts'
import type {
  AgentRow,
  RuntimePolicyRow,
  VerifierDatabase,
} from '../../../storage/databases/database.ts'
import {
  type PolicyStore,
  policyStore,
  type RuntimePolicyStore,
  runtimePolicyStore,
} from '../../../storage/policy-store.ts'
import { checkPolicySignature } from '../../../verifier/policies/check-policy-signature.ts'
import { readCarried } from '../../../verifier/push/carried.ts'
import { storing } from '../verifier/storing.ts'
import type { Mutant } from './list-minus-one.ts'

type Store = PolicyStore<RuntimePolicyRow>

/** The parts whose store of runtime policies does some things otherwise. */
function keeping(change: (policies: Store, database: VerifierDatabase) => Partial<Store>) {
  return storing((database) => {
    const policies = runtimePolicyStore(database)
    return { policies: { ...policies, ...change(policies, database) } }
  })
}

type Enrol = ReturnType<typeof agentStore>['enrol']

/** The parts in which agents are enrolled otherwise. */
function enrolling(change: (enrol: Enrol, policies: Store) => Enrol) {
  return storing((database) => {
    const agents = agentStore(database)
    const enrol = change(agents.enrol, policyStore(database, 'runtime_policies'))
    return { agents: { ...agents, enrol } }
  })
}

/** The policy with every path excluded. */
function excludingAll(row: RuntimePolicyRow | undefined): RuntimePolicyRow | undefined {
  if (row === undefined) return undefined
  return {
    ...row,
    runtime_policy: JSON.stringify({ ...JSON.parse(row.runtime_policy), excludes: ['.*'] }),
  }
}

/** The agent as if its present policy had judged what an earlier one certified. */
async function certifiedByPresent(
  agent: AgentRow | undefined,
  policies: RuntimePolicyStore,
): Promise<AgentRow | undefined> {
  const carried = agent && readCarried(agent)
  if (!carried?.ima || agent?.runtime_policy_name == null) return agent
  const policy = (await policies.brief(agent.runtime_policy_name))?.digest
  return { ...agent, carried: JSON.stringify({ ...carried, ima: { ...carried.ima, policy } }) }
}

/** Verifiers that are wrong in one place of their runtime policies. */
export const POLICY_MUTANTS: readonly Mutant[] = [
  {
    id: 'certified-by-another-policy',
    defect: 'entries that one policy certified are not judged again by the one that replaces it',
    parts: storing((database) => {
      const agents = agentStore(database)
      const policies = runtimePolicyStore(database)
      const find: typeof agents.find = async (id) =>
        certifiedByPresent(await agents.find(id), policies)
      return { agents: { ...agents, find } }
    }),
  },
  {
    id: 'policy-list-forgets',
    defect: 'the list of policies lacks the newest',
    parts: keeping(({ names, add }) => {
      let newest = ''
      return {
        names: async () => (await names()).filter((name) => name !== newest),
        add: (row) => {
          newest = row.name
          return add(row)
        },
      }
    }),
  },
  {
    id: 'deleted-policy-listed',
    defect: 'the name of a deleted policy stays listed',
    parts: keeping(({ names, add }) => {
      const known = new Set<string>()
      return {
        names: async () => [...new Set([...known, ...(await names())])],
        add: (row) => {
          known.add(row.name)
          return add(row)
        },
      }
    }),
  },
  {
    id: 'deletion-takes-others',
    defect: 'deleting a policy deletes the other unused ones',
    parts: keeping(({ remove, names }) => ({
      remove: async (name) => {
        const removal = await remove(name)
        for (const other of await names()) await remove(other)
        return removal
      },
    })),
  },
  {
    id: 'static-policy-not-kept',
    defect: 'the static policy that comes with a runtime policy is lost',
    parts: keeping(({ add }) => ({ add: (row) => add({ ...row, tpm_policy: '{}' }) })),
  },
  {
    id: 'taken-policy-replaced',
    defect: 'adding a policy under a name that is taken is refused, and replaces it',
    parts: keeping(({ add, replace }) => ({
      add: async (row) => !(await replace(row)) && add(row),
    })),
  },
  {
    id: 'policy-of-agent-replaces',
    defect: 'an agent that is refused for the name of its policy replaces the policy of that name',
    parts: enrolling((enrol, policies) => async (row, policy, ...more) => {
      const conflict = await enrol(row, policy, ...more)
      if (conflict === 'policy_exists' && policy) await policies.replace(policy)
      return conflict
    }),
  },
  {
    id: 'policy-in-use-deleted',
    defect: 'deleting a policy leaves the agents that have it without one',
    parts: keeping(({ remove }, database) => ({
      remove: async (name) => {
        const none = { runtime_policy_name: null }
        await database
          .updateTable('agents')
          .set(none)
          .where('runtime_policy_name', '=', name)
          .execute()
        return remove(name)
      },
    })),
  },
  {
    id: 'policy-name-ignored',
    defect: 'an agent that is added with the name of a policy has none',
    parts: enrolling((enrol) => (row, policy, ...more) => {
      const ignored = policy === undefined ? { ...row, runtime_policy_name: null } : row
      return enrol(ignored, policy, ...more)
    }),
  },
  {
    id: 'unknown-policy-is-none',
    defect: 'an agent that is added with an unknown policy name is evaluated without a policy',
    parts: enrolling((enrol) => async (row, ...more) => {
      const conflict = await enrol(row, ...more)
      if (conflict !== 'policy_missing') return conflict
      return enrol({ ...row, runtime_policy_name: null }, ...more)
    }),
  },
  {
    id: 'policy-kept-under-the-agent',
    defect:
      'a policy that an agent is added with is stored under the id of the agent, not under its name',
    parts: enrolling((enrol) => (row, policy, ...more) => {
      if (policy === undefined) return enrol(row, policy, ...more)
      const name = row.agent_id
      return enrol({ ...row, runtime_policy_name: name }, { ...policy, name }, ...more)
    }),
  },
  {
    id: 'named-policy-excludes-all',
    defect: 'an agent that was added with a policy name is evaluated against none of its digests',
    parts: keeping(({ find }) => ({ find: async (name) => excludingAll(await find(name)) })),
  },
  {
    id: 'policy-not-read',
    defect: 'any text is stored as a policy',
    parts: {
      readPolicyUpload: () => async (upload) => {
        checkPolicySignature(upload, upload.signatureRequired)
        return Buffer.from(upload.runtime_policy, 'base64').toString()
      },
    },
  },
]
