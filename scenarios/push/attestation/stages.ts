import { attributes, type Reply, scenario } from '../../../conformance/dsl.ts'

const STAGES: readonly unknown[] = [
  'awaiting_evidence',
  'evaluating_evidence',
  'verification_complete',
]
const stageOf = (reply: Reply) => attributes(reply, 'stage')
const isOver = (reply: Reply) => stageOf(reply) === 'verification_complete'

export default scenario({
  id: 'push.attestation.stages',
  title: 'An attestation goes through its stages in their order, and is pending until the last',
  requirements: [
    'ATT-STAGE-CREATE-ONLY',
    'ATT-CREATE-NO-EVIDENCE',
    'ATT-STAGE-AWAITING-TO-EVALUATING',
    'ATT-SUBMIT-ACKNOWLEDGED',
    'ATT-STAGE-EVALUATING-TO-COMPLETE',
    'ATT-STAGE-NOT-PUSHED',
    'ATT-STAGE-ORDER',
    'ATT-EVALUATION-VALUES',
    'ATT-EVALUATION-PENDING',
    'ATT-COMPLETE-EVALUATED',
  ],
  role: 'verifier',
  since: '3.0',
  needs: ['ima_log'],
  async run({ verifier, machines, check }) {
    const agent = await machines.softAgent()
    const negotiation = await agent.negotiate()
    const { reply, index } = negotiation
    check('ATT-STAGE-CREATE-ONLY', 'stage of the answer').of(stageOf(reply)).is(STAGES[0])
    const waiting = await verifier.attestation(agent.id, index)
    check('ATT-STAGE-CREATE-ONLY', 'stage that is read').of(stageOf(waiting)).is(STAGES[0])
    for (const seen of [reply, waiting])
      check('ATT-CREATE-NO-EVIDENCE', 'evidence')
        .of(attributes(seen, 'evidence') ?? [])
        .is([])
    const accepted = await agent.submit(negotiation)
    check('ATT-STAGE-AWAITING-TO-EVALUATING', 'stage').of(stageOf(accepted)).is(STAGES[1])
    check('ATT-SUBMIT-ACKNOWLEDGED', 'verdict that the acknowledgement waited for')
      .of(attributes(accepted, 'verification_completed_at') ?? null)
      .is(null)
    const seen = [reply, waiting, accepted]
    while (!seen.some(isOver) && seen.length < 50) {
      seen.push(await verifier.attestation(agent.id, index))
    }
    seen.push(await agent.verdict(negotiation))
    const last = await verifier.attestation(agent.id, index)
    check('ATT-STAGE-EVALUATING-TO-COMPLETE', 'stage').of(stageOf(last)).is(STAGES[2])
    check('ATT-STAGE-NOT-PUSHED', 'whether reading shows the end').of(isOver(last)).is(true)
    const places = seen.map((one) => STAGES.indexOf(stageOf(one)))
    check('ATT-STAGE-ORDER', 'places of the stages that were seen')
      .of(places)
      .matches('never one before the last', (all) =>
        all.every((place, before) => place >= (all[before - 1] ?? 0)),
      )
    for (const one of seen) {
      const evaluation = attributes(one, 'evaluation')
      const [open, over] = [
        [undefined, 'pending'],
        ['pass', 'fail'],
      ]
      check('ATT-EVALUATION-VALUES', 'evaluation')
        .of(evaluation)
        .isOneOf([...open, ...over])
      const row = isOver(one) ? 'ATT-COMPLETE-EVALUATED' : 'ATT-EVALUATION-PENDING'
      check(row, `evaluation at ${stageOf(one)}`)
        .of(evaluation)
        .isOneOf(isOver(one) ? over : open)
    }
  },
})
