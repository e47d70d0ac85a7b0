import { ApiError } from '../../../errors.ts'
import { agentStore } from '../../../storage/agent-store.ts'
import { attestationStore } from '../../../storage/attestation-store.ts'
import type { AgentRow, VerifierDatabase } from '../../../storage/databases/database.ts'
import { sessionStore } from '../../../storage/session-store.ts'
import {
  ACCEPTANCE_MOVES,
  type AcceptanceEvent,
  type AcceptanceMove,
  type AcceptanceRules,
  acceptanceRules,
} from '../../../verifier/push/attestation/acceptance.ts'
import type { Mutant } from '../evidence/list-minus-one.ts'
import { storing } from './storing.ts'

function withRules(change: Partial<AcceptanceRules>): Mutant['parts'] {
  return { acceptance: { ...acceptanceRules, ...change } }
}

/** The parts in which a silent agent may do something, which starts its time again. */
function lettingIn(...events: readonly AcceptanceEvent[]): Mutant['parts'] {
  const more = events.map(
    (event): AcceptanceMove => ({ event, from: 'silent', to: 'accepting', timeout: 'starts' }),
  )
  return withRules({ moves: [...ACCEPTANCE_MOVES, ...more] })
}

function silentAfter(intervals: number): Mutant['parts'] {
  return withRules({ silence: (quoteInterval) => quoteInterval * intervals * 1000 })
}

/** The first moment at which any agent is silent. */
async function firstTimeout(database: VerifierDatabase): Promise<number | null> {
  const row = await database
    .selectFrom('agents')
    .select(({ fn }) => fn.min('timeout_at').as('first'))
    .executeTakeFirst()
  return row?.first ?? null
}

const withTime = (agent: AgentRow | undefined, timeout_at: number | null) =>
  agent && { ...agent, timeout_at }

/** Verifiers that lock out the wrong agents. */
export const LOCKOUT_MUTANTS: readonly Mutant[] = [
  {
    id: 'silence-never-noticed',
    defect: 'evidence starts no timer, so that no agent ever counts as silent',
    parts: withRules({
      moves: ACCEPTANCE_MOVES.map((move) =>
        move.event === 'evidence_received' ? { ...move, timeout: 'none' } : move,
      ),
    }),
  },
  {
    id: 'silent-agent-attests',
    defect: 'an agent that is shown as silent attests as before',
    parts: lettingIn('capabilities_received', 'evidence_received'),
  },
  {
    id: 'locked-out-too-late',
    defect: 'an agent is silent after fifty quote intervals',
    parts: silentAfter(50),
  },
  {
    id: 'locked-out-too-early',
    defect: 'an agent is silent after two quote intervals',
    parts: silentAfter(2),
  },
  {
    id: 'lockout-is-a-conflict',
    defect: 'a silent agent is refused with another status than 403',
    parts: withRules({ refusal: (agentId) => new ApiError('conflict', `${agentId} is silent.`) }),
  },
  {
    id: 'first-evidence-counts-alone',
    defect: 'evidence starts the time once, and later evidence does not start it again',
    parts: storing((database) => {
      const agents = agentStore(database)
      const attestations = attestationStore(database)
      const advance: typeof attestations.advance = async (key, stage, change, agent) => {
        const timeout_at = (await agents.find(key.agent_id))?.timeout_at ?? agent?.timeout_at
        return attestations.advance(key, stage, change, {
          ...agent,
          timeout_at: timeout_at ?? null,
        })
      }
      return { attestations: { ...attestations, advance } }
    }),
  },
  {
    id: 'one-silence-for-all',
    defect: 'when one agent is silent every agent is',
    parts: storing((database) => {
      const agents = agentStore(database)
      const find: typeof agents.find = async (agentId) =>
        withTime(await agents.find(agentId), await firstTimeout(database))
      return { agents: { ...agents, find } }
    }),
  },
  {
    id: 'reactivation-leaves-silent',
    defect: 'an administrator cannot let a silent agent attest again',
    parts: withRules({
      moves: ACCEPTANCE_MOVES.filter(
        ({ event, from }) => event !== 'reactivated' || from !== 'silent',
      ),
    }),
  },
  {
    id: 'enrolment-leaves-silent',
    defect: 'a silent agent that is deleted and added again is silent still',
    parts: storing((database) => {
      const agents = agentStore(database)
      const known = new Map<string, number>()
      const remove: typeof agents.remove = async (agentId, enrolment) => {
        const timeout = (await agents.find(agentId))?.timeout_at
        if (timeout != null) known.set(agentId, timeout)
        return agents.remove(agentId, enrolment)
      }
      const enrol: typeof agents.enrol = (row, ...policies) =>
        agents.enrol({ ...row, timeout_at: known.get(row.agent_id) ?? null }, ...policies)
      return { agents: { ...agents, remove, enrol } }
    }),
  },
  {
    id: 'late-evidence-lets-in',
    defect: 'a silent agent comes back by evidence for a challenge of before',
    parts: lettingIn('evidence_received'),
  },
  {
    id: 'session-lets-in',
    defect: 'a silent agent comes back by opening a session',
    parts: storing((database) => {
      const sessions = sessionStore(database)
      const grant: typeof sessions.grant = async (row) => {
        await agentStore(database).change(row.agent_id, () => ({ timeout_at: null }))
        return sessions.grant(row)
      }
      return { sessions: { ...sessions, grant } }
    }),
  },
  {
    id: 'capabilities-keep-awake',
    defect: 'an agent that sends capabilities and never evidence is not silent',
    parts: storing((database) => {
      const attestations = attestationStore(database)
      const append: typeof attestations.append = async (row, ...more) => {
        await agentStore(database).change(row.agent_id, () => ({ timeout_at: null }))
        return attestations.append(row, ...more)
      }
      return { attestations: { ...attestations, append } }
    }),
  },
  {
    id: 'capabilities-start-time',
    defect: 'the time after which an agent is silent starts with capabilities too',
    parts: withRules({
      moves: ACCEPTANCE_MOVES.map((move) =>
        move.event === 'capabilities_received' ? { ...move, timeout: 'starts' } : move,
      ),
    }),
  },
]
