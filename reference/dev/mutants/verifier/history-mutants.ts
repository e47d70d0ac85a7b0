import { createSecretKey, randomBytes } from 'node:crypto'
import { agentStore } from '../../../storage/agent-store.ts'
import { attestationStore, type Conclusion } from '../../../storage/attestation-store.ts'
import type { VerifierDatabase } from '../../../storage/databases/database.ts'
import { attestationRules } from '../../../verifier/push/attestation/attestation-rules.ts'
import { sessionRules } from '../../../verifier/push/session/session-rules.ts'
import type { Mutant } from '../evidence/list-minus-one.ts'
import { withOperations } from './mutated-operations.ts'
import { storing } from './storing.ts'

const PROCESS_KEY = createSecretKey(randomBytes(32))
const CHALLENGES = Array.from({ length: 3 }, (_, at) => new Uint8Array(16).fill(at + 1))

const PASSED = { evaluation: 'pass', failure_reason: null } as const

async function hasFailed(database: VerifierDatabase, agentId: string): Promise<boolean> {
  const failed = database.selectFrom('attestations').select('index')
  const ofAgent = failed.where('agent_id', '=', agentId)
  const row = await ofAgent.where('failure_reason', '=', 'policy_violation').executeTakeFirst()
  return row !== undefined
}

/** Verifiers that are wrong only after certain sequences of requests; model-based testing must find them. */
export const HISTORY_MUTANTS: readonly Mutant[] = [
  {
    id: 'silence-forgotten-at-restart',
    defect: 'a verifier that is restarted lets every silent agent in',
    parts: storing((database) => {
      const forgotten = database.updateTable('agents').set({ timeout_at: null }).execute()
      const agents = agentStore(database)
      const find: typeof agents.find = async (agentId) => {
        await forgotten
        return agents.find(agentId)
      }
      return { agents: { ...agents, find } }
    }),
  },
  {
    id: 'list-goes-on-after-reboot',
    defect: 'after a reboot the measurement list is asked for from where it ended before',
    parts: withOperations(['create-attestation'], (shipped) => (call) => {
      const body = structuredClone(call.body)
      const attributes = Object(Object(Object(body)['data'])['attributes'])
      attributes['system_info'] = { boot_time: '2026-01-01T00:00:00Z' }
      return shipped({ ...call, body })
    }),
  },
  {
    id: 'second-violation-passes',
    defect: 'an agent that broke its policy once may break it again',
    parts: storing((database) => {
      const attestations = attestationStore(database)
      const conclude: typeof attestations.conclude = async (key, stage, owner, change) => {
        const forgiven: Conclusion = (await hasFailed(database, key.agent_id))
          ? { ...change, attestation: { ...change.attestation, ...PASSED } }
          : change
        return attestations.conclude(key, stage, owner, forgiven)
      }
      return { attestations: { ...attestations, conclude } }
    }),
  },
  {
    id: 'tokens-end-at-restart',
    defect: 'a verifier that is restarted knows no token any more',
    parts: {
      sessionRules: {
        ...sessionRules,
        hashToken: (token) => sessionRules.hashToken(token, PROCESS_KEY),
      },
    },
  },
  {
    id: 'challenges-come-round',
    defect: 'there are three challenges, which follow one another',
    parts: {
      attestationRules: {
        ...attestationRules,
        makeChallenge: (() => {
          let made = 0
          return () => CHALLENGES[made++ % CHALLENGES.length] ?? new Uint8Array(16)
        })(),
      },
    },
  },
]
