import { parameter } from '../../../api/call.ts'
import { ApiError } from '../../../errors.ts'
import type { AttestationStore } from '../../../storage/attestation-store.ts'
import { verifierOperations } from '../../../verifier/operations.ts'
import {
  type AttestationRules,
  attestationRules,
} from '../../../verifier/push/attestation/attestation-rules.ts'
import { STAGES, type Stage } from '../../../verifier/push/attestation/stages.ts'
import { eachMinusOne, type Mutant } from '../evidence/list-minus-one.ts'
import { QUOTED_BANK_MUTANT } from '../evidence/quoted-bank-mutant.ts'
import { type AttestationOperation, reading, withOperations } from './mutated-operations.ts'
import { SHOWN_ATTESTATION_MUTANTS } from './shown-attestation-mutants.ts'

function withRules(change: Partial<AttestationRules>): Mutant['parts'] {
  return { attestationRules: { ...attestationRules, ...change } }
}

type Members = Readonly<Record<string, unknown>>

function offering(change: (capabilities: Members) => Members): Mutant['parts'] {
  return reading('create-attestation', (item) => {
    const { capabilities } = item
    const isObject = typeof capabilities === 'object' && capabilities !== null
    if (!isObject || Array.isArray(capabilities)) return item
    return { ...item, capabilities: change(capabilities as Members) }
  })
}

function withoutPublic(key: unknown): unknown {
  if (typeof key !== 'object' || key === null) return key
  const { public: _, ...rest } = key as Record<string, unknown>
  return rest
}

/** Verifiers that accept malformed requests. */
const LENIENT_MUTANTS: readonly Mutant[] = [
  {
    id: 'odd-counts-taken',
    defect: 'an invalid entry_count is treated as 0',
    parts: offering((members) =>
      'entry_count' in members &&
      !(Number.isInteger(members['entry_count']) && Number(members['entry_count']) >= 0)
        ? { ...members, entry_count: 0 }
        : members,
    ),
  },
  {
    id: 'partial-access-assumed',
    defect: 'a part of the list is asked for, also of an agent that has only the whole',
    parts: offering((members) =>
      'supports_partial_access' in members
        ? { ...members, supports_partial_access: true }
        : members,
    ),
  },
  {
    id: 'odd-formats-taken',
    defect: 'unknown formats are read as text',
    parts: offering((members) =>
      'formats' in members ? { ...members, formats: ['text/plain'] } : members,
    ),
  },
  {
    id: 'odd-keys-taken',
    defect: 'the key that is offered is not looked at',
    parts: offering((members) => {
      const { certification_keys: keys } = members
      if (!Array.isArray(keys)) return members
      return { ...members, certification_keys: keys.map(withoutPublic) }
    }),
  },
  {
    id: 'class-not-compared',
    defect: 'of collected evidence the type alone is compared',
    parts: reading('submit-evidence', (item) => ({
      ...item,
      evidence_class: item['evidence_type'] === 'tpm_quote' ? 'certification' : 'log',
    })),
  },
  {
    id: 'list-count-not-read',
    defect: 'the entry_count of a list is not checked',
    parts: reading('submit-evidence', ({ data, ...item }) => {
      if (typeof data !== 'object' || data === null) return { ...item, data }
      const { entry_count: _, ...rest } = data as Record<string, unknown>
      return { ...item, data: Array.isArray(data) ? data : rest }
    }),
  },
]

/** Verifiers in which an attestation moves otherwise than by its stages. */
const MOVING_MUTANTS: readonly Mutant[] = [
  {
    id: 'evidence-taken-again',
    defect: 'evidence for a completed attestation is evaluated again',
    parts: movedBefore('submit-evidence', 'verification_complete', { stage: 'awaiting_evidence' }),
  },
  {
    id: 'evidence-taken-at-once',
    defect: 'a second submission is not detected, neither before nor while it is stored',
    parts: {
      verifierOperations: (parts) => {
        const { attestations } = parts.store
        const advance: AttestationStore['advance'] = async (key, _, change) => {
          const moved = STAGES.map((stage) => attestations.advance(key, stage, change))
          return (await Promise.all(moved)).includes(true)
        }
        const store = { ...parts.store, attestations: { ...attestations, advance } }
        const submissionRefusals = attestationRules.submissionRefusals.slice(0, 1)
        return verifierOperations({
          ...parts,
          store,
          attestationRules: { ...attestationRules, submissionRefusals },
        })
      },
    },
  },
  {
    id: 'capabilities-end-older',
    defect: 'new capabilities fail the attestation that still waits',
    parts: movedBefore('create-attestation', 'awaiting_evidence', {
      stage: 'verification_complete',
      evaluation: 'fail',
    }),
  },
  {
    id: 'odd-evidence-ends',
    defect: 'evidence that cannot be read ends its attestation',
    parts: withOperations(['submit-evidence'], (shipped, { store }) => async (call) => {
      try {
        return await shipped(call)
      } catch (error) {
        const isUnread = error instanceof ApiError && error.code === 'invalid_resource_data'
        const latest = await store.attestations.latest(parameter(call, 'agent_id'))
        const ended = { stage: 'verification_complete', evaluation: 'fail' }
        if (latest && isUnread) await store.attestations.advance(latest, 'awaiting_evidence', ended)
        throw error
      }
    }),
  },
  {
    id: 'failed-agent-refused',
    defect: 'an agent that failed is refused until it is reactivated or registers again',
    parts: withOperations(['create-attestation'], (shipped, { store, listening }) => {
      const stopped = new Set<string>()
      return async (call) => {
        const agentId = parameter(call, 'agent_id')
        const latest = await store.attestations.latest(agentId)
        const failure = `${agentId} ${latest?.index}`
        if (latest?.evaluation === 'fail' && !stopped.has(failure)) {
          stopped.add(failure)
          await store.agents.change(agentId, () => ({ timeout_at: listening.now() }))
        }
        return shipped(call)
      }
    }),
  },
  {
    id: 'index-past-latest-taken',
    defect: 'evidence for a future index is accepted for the latest',
    parts: withRules({
      submissionRefusals: attestationRules.submissionRefusals.map((rule) =>
        rule.id === 'submission.older'
          ? { ...rule, refuses: ({ latest, index }) => Number(index) < latest.index }
          : rule,
      ),
    }),
  },
]

/** An operation before which the latest attestation of the agent is moved, where it is at that stage. */
function movedBefore(
  name: AttestationOperation,
  stage: Stage,
  change: Parameters<AttestationStore['advance']>[2],
): Mutant['parts'] {
  return withOperations([name], (shipped, { store }) => async (call) => {
    const latest = await store.attestations.latest(parameter(call, 'agent_id'))
    if (latest) await store.attestations.advance(latest, stage, change)
    return shipped(call)
  })
}

/** Verifiers that are wrong in one place of their attestations. */
export const ATTESTATION_MUTANTS: readonly Mutant[] = [
  ...SHOWN_ATTESTATION_MUTANTS,
  ...LENIENT_MUTANTS,
  ...MOVING_MUTANTS,
  QUOTED_BANK_MUTANT,
  ...eachMinusOne({
    checks: attestationRules.paceRules,
    defectWithout: ({ why }) => `it is not minded that ${why}`,
    partsWith: (paceRules) => withRules({ paceRules }),
  }),
  ...eachMinusOne({
    checks: attestationRules.quoteRules,
    defectWithout: ({ why }) => `it is asked for although ${why}`,
    partsWith: (quoteRules) => withRules({ quoteRules }),
  }),
  ...eachMinusOne({
    checks: attestationRules.submissionRefusals,
    defectWithout: ({ why }) => `it is not minded that ${why}`,
    partsWith: (submissionRefusals) => withRules({ submissionRefusals }),
  }),
  {
    id: 'challenge-of-two-bytes',
    defect: 'a challenge is one of sixty-five thousand',
    parts: withRules({ makeChallenge: (random) => random.bytes(2) }),
  },
  {
    id: 'index-read-as-number',
    defect: 'an index is any text that converts to a number',
    parts: withOperations(['read-attestation'], (shipped) => (call) => {
      const { index = '' } = call.params
      const number = Number.parseInt(index, 10)
      const read = Number.isNaN(number) ? index : String(Math.abs(number))
      return shipped({ ...call, params: { ...call.params, index: read } })
    }),
  },
  {
    id: 'attestation-challenge-constant',
    defect: 'every attestation has the same challenge',
    parts: withRules({ makeChallenge: () => new Uint8Array(16).fill(7) }),
  },
]
