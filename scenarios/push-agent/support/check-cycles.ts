import { firstOf, isTaken, stepsOf, takenOf } from '../../../conformance/oracle/recording-parts.ts'
import type { PushRecording } from '../../../conformance/peers/push-agent-pool.ts'
import type { PushOperation, PushStep } from '../../../conformance/peers/push-timeline.ts'
import type { Context } from '../../../conformance/scenario.ts'

export const CYCLE_REQUIREMENTS = [
  'PSH-CLIENT-ONLY',
  'PSH-NO-ENDPOINTS',
  'PSH-TWO-PHASES',
  'PSH-ONE-EVIDENCE-PER-CYCLE',
  'PSH-STATE-NEGOTIATES',
  'PSH-STATE-NEGOTIATING',
  'PSH-STATE-ATTESTING',
  'PSH-STATE-ATTESTING-AGAIN',
  'PSH-NO-CLEAR',
] as const

/** Steps that may follow a successful step. */
const AFTER: Readonly<Partial<Record<PushStep, readonly PushStep[]>>> = {
  register: ['activate'],
  activate: ['session'],
  session: ['proof'],
  proof: ['capabilities'],
  capabilities: ['evidence'],
  evidence: ['capabilities', 'session'],
}

/** Checks the order of an undisturbed recording, and that it has no other requests. */
export function checkCycles({ check }: Context, recording: PushRecording): void {
  const { operations, ports, verifier, phases } = recording
  const odd = operations.filter(({ step, peer }) => step === 'other' || peer === 'elsewhere')
  check('PSH-CLIENT-ONLY', 'requests that the document does not define')
    .of(odd.map(({ request: { method, url } }) => `${method} ${url}`))
    .is([])
  check('PSH-NO-ENDPOINTS', 'TCP ports on which it listens').of(ports.flat()).is([])
  check('PSH-NO-CLEAR', 'requests to the verifier without TLS')
    .of(verifier.clearAttempts + operations.filter(isClear).length)
    .is(0)
  checkOnce({ check }, operations)
  const good = operations.filter(isTaken)
  const after = (step: PushStep) =>
    good.flatMap((operation, at) => (operation.step === step ? [good[at + 1]?.step] : []))
  const expected = (step: PushStep) => AFTER[step] ?? []
  const follows = (requirement: string, step: PushStep) => {
    firstOf(operations, step)
    check(requirement, `what comes after ${step}`)
      .of(after(step).filter((next) => next !== undefined))
      .matches(`${expected(step).join(' or ')} each time`, (all) =>
        all.every((next) => expected(step).includes(next)),
      )
  }
  follows('PSH-STATE-NEGOTIATES', 'activate')
  follows('PSH-STATE-ATTESTING', 'capabilities')
  follows('PSH-STATE-ATTESTING-AGAIN', 'evidence')
  check('PSH-TWO-PHASES', 'offers, and evidence')
    .of([takenOf(operations, 'capabilities').length, takenOf(operations, 'evidence').length])
    .matches(`${phases.length} each, or one more offer`, ([offers = 0, sent = 0]) => {
      return sent >= phases.length && (offers === sent || offers === sent + 1)
    })
}

/** Checks that evidence follows a challenge, and that none follows evidence that was accepted for the same challenge. */
export function checkOnce(
  { check }: Pick<Context, 'check'>,
  operations: readonly PushOperation[],
): void {
  const sent = stepsOf(operations, 'evidence')
  const early = sent.filter(({ attestation, answer, request }) => {
    if (answer !== 'reset' && answer.status === 401) return false
    const began = operations.find(
      (one) => one.step === 'capabilities' && one.attestation?.index === attestation?.index,
    )
    return attestation === undefined || began === undefined || began.request.at > request.at
  })
  check('PSH-STATE-NEGOTIATING', 'evidence before its challenge').of(early.length).is(0)
  const again = sent.filter(({ attestation }, at) =>
    takenOf(sent.slice(0, at), 'evidence').some(
      (before) => attestation !== undefined && before.attestation?.index === attestation.index,
    ),
  )
  check('PSH-ONE-EVIDENCE-PER-CYCLE', 'attestations that were sent evidence after it was accepted')
    .of(again.map(({ attestation }) => attestation?.index))
    .is([])
}

const isClear = ({ peer, request: { tls } }: PushOperation): boolean =>
  peer === 'verifier' && tls === undefined
