import { attestationStore } from '../../../storage/attestation-store.ts'
import type { AgentRow, AttestationRow } from '../../../storage/databases/database.ts'
import type { Mutant } from '../evidence/list-minus-one.ts'
import { storing } from './storing.ts'

/** The changes to the attestation and to its agent after an evaluation. */
interface Written {
  readonly attestation: Partial<AttestationRow>
  readonly agent: Partial<AgentRow>
}

/** The columns that a mutant writes instead; `agent` is the earlier row of the agent. */
type Mutate = (written: Written, agent: AgentRow) => Partial<Written>

/** The parts in which the end of an attestation is written down otherwise. */
function concluding(verdict: 'pass' | 'fail', mutate: Mutate): Mutant['parts'] {
  return storing((database) => {
    const attestations = attestationStore(database)
    const conclude: typeof attestations.conclude = (key, stage, owner, change) => {
      if (change.attestation.evaluation !== verdict)
        return attestations.conclude(key, stage, owner, change)
      const { attestation } = change
      const agent = (before: AgentRow) => {
        const written = { attestation, agent: change.agent(before) }
        return mutate(written, before).agent ?? written.agent
      }
      const mutated = mutate({ attestation, agent: {} }, NO_AGENT).attestation ?? attestation
      return attestations.conclude(key, stage, owner, { attestation: mutated, agent })
    }
    return { attestations: { ...attestations, conclude } }
  })
}

/** An attestation's own columns do not depend on its agent. */
const NO_AGENT = {} as AgentRow

const giving =
  (failure_reason: string | null): Mutate =>
  ({ attestation }) => ({ attestation: { ...attestation, failure_reason } })

/** Verifiers that evaluate correctly and report the result wrongly. */
export const FAILURE_MUTANTS: readonly Mutant[] = [
  {
    id: 'failure-without-reason',
    defect: 'a failed attestation has no reason',
    parts: concluding('fail', giving(null)),
  },
  {
    id: 'failure-always-broken',
    defect: 'every failure is a broken evidence chain',
    parts: concluding('fail', giving('broken_evidence_chain')),
  },
  {
    id: 'failure-always-policy',
    defect: 'every failure is a policy violation',
    parts: concluding('fail', giving('policy_violation')),
  },
  {
    id: 'failure-not-shown',
    defect: 'the status of an agent does not show its failure',
    parts: concluding('fail', ({ agent }) => ({ agent: { ...agent, failures: 0 } })),
  },
  {
    id: 'failure-counted-as-pass',
    defect: 'a quote that does not verify is counted',
    parts: concluding('fail', ({ agent }, before) => ({
      agent: { ...agent, attestation_count: before.attestation_count + 1 },
    })),
  },
  {
    id: 'failed-quote-not-received',
    defect: 'a quote that does not verify is one that never came',
    parts: concluding('fail', ({ agent }) => ({ agent: { ...agent, last_received_quote: 0 } })),
  },
  {
    id: 'failure-is-the-last-success',
    defect: 'the time of a failure is shown as that of the last success',
    parts: concluding('fail', ({ agent }) => ({
      agent: { ...agent, last_successful_attestation: agent.last_received_quote ?? 1 },
    })),
  },
  {
    id: 'pass-not-counted',
    defect: 'a quote that verifies is not counted',
    parts: concluding('pass', ({ agent }, { attestation_count }) => ({
      agent: { ...agent, attestation_count },
    })),
  },
]
