import { at, listOf, type Reply } from '../attempt/reply.ts'
import { attestationIndex } from '../client/agents/evidence.ts'
import { ADMIN_STEPS } from './admin-steps.ts'
import { ATTESTATION_STEPS } from './attestation-steps.ts'
import type { Model } from './model.ts'
import { beginSequence, type Sequence, type VerifierStep } from './sequence.ts'
import { SESSION_STEPS } from './session-steps.ts'
import { isSilent } from './verifier-model.ts'
import { WORLD_STEPS } from './world-steps.ts'

const VERIFIER_STEPS: readonly VerifierStep[] = [
  ...ADMIN_STEPS,
  ...SESSION_STEPS,
  ...ATTESTATION_STEPS,
  ...WORLD_STEPS,
]

const OF_RECORD = ['ATT-LIST', 'ATT-MOVES-ONLY']

/** Runs one step, and then compares the verifier's list of attestations with the model. */
async function take(sequence: Sequence, step: VerifierStep): Promise<void> {
  latchSilence(sequence)
  sequence.context.note(`step: ${step.name}`)
  await step.run(sequence)
  latchSilence(sequence)
  await checkRecord(sequence)
}

/** A silent agent stays locked out regardless of its requests. */
function latchSilence(sequence: Sequence): void {
  const { model, context } = sequence
  if (isSilent(model, sequence.now(), context.quoteIntervalMs) !== 'yes') return
  sequence.model = { ...model, acceptance: { ...model.acceptance, silent: true } }
}

/** Checks that the verifier lists every attestation of the model with its stage and verdict. */
async function checkRecord({ agent, context, model }: Sequence): Promise<void> {
  if (!model.enrolled || model.attestations.length === 0) return
  const { verifier, check } = context
  const params = { agent_id: agent.id }
  const reply = await verifier.call('list-attestations', { params, as: verifier.admin })
  const shown = standings(reply)
  const known = model.attestations.map(({ index }) => index)
  const missing = known.filter((index) => !shown.has(index))
  check('ATT-LIST', 'attestations that are not listed').of(missing).is([])
  check('ATT-MOVES-ONLY', 'stage and verdict of every attestation')
    .of(known.map((index) => `${index} ${shown.get(index)}`))
    .is(model.attestations.map(({ index, ...one }) => `${index} ${standing(one)}`))
}

interface Standing {
  readonly stage?: unknown
  readonly evaluation?: unknown
}

/** Stage and verdict. A waiting attestation may have the verdict `pending` or none (ambiguity EVALPRES). */
function standing({ stage, evaluation }: Standing): string {
  const verdict = evaluation === 'pass' || evaluation === 'fail' ? ` ${evaluation}` : ''
  return `${String(stage)}${verdict}`
}

function standings({ body }: Reply): ReadonlyMap<string, string> {
  const list = listOf(at(body, 'data')) ?? []
  const shown = list.map((one) => {
    return [attestationIndex(one) ?? '', standing(Object(at(one, 'attributes')))] as const
  })
  return new Map(shown)
}

/** Model of the verifier under test, with one push agent and its machine. */
export const VERIFIER_MODEL: Model<Sequence> = {
  role: 'verifier',
  requirements: [
    ...new Set([...OF_RECORD, ...VERIFIER_STEPS.flatMap(({ requirements }) => requirements)]),
  ],
  steps: VERIFIER_STEPS,
  begin: beginSequence,
  take,
}
