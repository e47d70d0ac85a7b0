import { firstOf, isTaken, stepsOf, takenOf } from '../../../conformance/oracle/story-parts.ts'
import type { PushStory } from '../../../conformance/peers/push-agent-desk.ts'
import type { PushDeed, PushStep } from '../../../conformance/peers/push-timeline.ts'
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

/** What may come after a step that was taken well. */
const AFTER: Readonly<Partial<Record<PushStep, readonly PushStep[]>>> = {
  register: ['activate'],
  activate: ['session'],
  session: ['proof'],
  proof: ['capabilities'],
  capabilities: ['evidence'],
  evidence: ['capabilities', 'session'],
}

/** The order of an undisturbed life, and that nothing else is done in it. */
export function checkCycles({ check }: Context, story: PushStory): void {
  const { deeds, ports, verifier, chapters } = story
  const odd = deeds.filter(({ step, peer }) => step === 'other' || peer === 'elsewhere')
  check('PSH-CLIENT-ONLY', 'requests that the document does not have')
    .of(odd.map(({ heard: { method, url } }) => `${method} ${url}`))
    .is([])
  check('PSH-NO-ENDPOINTS', 'TCP ports on which it listens').of(ports.flat()).is([])
  check('PSH-NO-CLEAR', 'requests to the verifier without TLS')
    .of(verifier.clearAttempts + deeds.filter(isClear).length)
    .is(0)
  checkOnce({ check }, deeds)
  const good = deeds.filter(isTaken)
  const after = (step: PushStep) =>
    good.flatMap((deed, at) => (deed.step === step ? [good[at + 1]?.step] : []))
  const expected = (step: PushStep) => AFTER[step] ?? []
  const follows = (requirement: string, step: PushStep) => {
    firstOf(deeds, step)
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
    .of([takenOf(deeds, 'capabilities').length, takenOf(deeds, 'evidence').length])
    .matches(`${chapters.length} each, or one more offer`, ([offers = 0, sent = 0]) => {
      return sent >= chapters.length && (offers === sent || offers === sent + 1)
    })
}

/** Evidence waits for a challenge, and answers it once. */
export function checkOnce({ check }: Pick<Context, 'check'>, deeds: readonly PushDeed[]): void {
  const sent = stepsOf(deeds, 'evidence')
  const early = sent.filter(({ attestation, answer, heard }) => {
    if (answer !== 'reset' && answer.status === 401) return false
    const began = deeds.find(
      (one) => one.step === 'capabilities' && one.attestation?.index === attestation?.index,
    )
    return attestation === undefined || began === undefined || began.heard.at > heard.at
  })
  check('PSH-STATE-NEGOTIATING', 'evidence before its challenge').of(early.length).is(0)
  const answered = sent.flatMap(({ attestation }) => (attestation ? [attestation.index] : []))
  check('PSH-ONE-EVIDENCE-PER-CYCLE', 'attestations that were sent evidence more than once')
    .of(answered.filter((index, at) => answered.indexOf(index) !== at))
    .is([])
}

const isClear = ({ peer, heard: { tls } }: PushDeed): boolean =>
  peer === 'verifier' && tls === undefined
