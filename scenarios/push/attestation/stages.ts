import { attributes, type Reply, scenario } from '../../../conformance/scenario.ts'

const STAGES: readonly unknown[] = [
  'awaiting_evidence',
  'evaluating_evidence',
  'verification_complete',
]
const stageOf = (reply: Reply) => attributes(reply, 'stage')
const isOver = (reply: Reply) => stageOf(reply) === STAGES[2]

export default scenario({
  id: 'push.attestation.stages',
  title: 'The verifier moves an attestation through its stages in order',
  requirements: [
    'ATT-STAGE-CREATE-ONLY',
    'ATT-CREATE-NO-EVIDENCE',
    'ATT-STAGE-AWAITING-TO-EVALUATING',
    'ATT-STAGE-EVALUATING-TO-COMPLETE',
    'ATT-STAGE-NOT-PUSHED',
    'ATT-STAGE-ORDER',
  ],
  role: 'verifier',
  since: '3.0',
  async run({ verifier, machines, check }) {
    const agent = await machines.softAgent()
    const negotiation = await agent.negotiate()
    const { reply, index } = negotiation
    const waiting = await verifier.attestation(agent.id, index)
    for (const seen of [reply, waiting]) {
      check('ATT-STAGE-CREATE-ONLY', 'stage').of(stageOf(seen)).is(STAGES[0])
      check('ATT-CREATE-NO-EVIDENCE', 'evidence')
        .of(attributes(seen, 'evidence') ?? [])
        .is([])
    }
    const accepted = await agent.submit(negotiation)
    check('ATT-STAGE-AWAITING-TO-EVALUATING', 'stage').of(stageOf(accepted)).is(STAGES[1])
    const seen = [reply, waiting, accepted]
    while (!seen.some(isOver) && seen.length < 50) {
      seen.push(await verifier.attestation(agent.id, index))
    }
    seen.push(await agent.verdict(negotiation))
    const last = await verifier.attestation(agent.id, index)
    check('ATT-STAGE-EVALUATING-TO-COMPLETE', 'stage').of(stageOf(last)).is(STAGES[2])
    check('ATT-STAGE-NOT-PUSHED', 'whether the last stage is shown').of(isOver(last)).is(true)
    check('ATT-STAGE-ORDER', 'positions of the observed stages')
      .of([...seen, last].map((one) => STAGES.indexOf(stageOf(one))))
      .matches('in ascending order', (all) =>
        all.every((place, before) => place >= (all[before - 1] ?? 0)),
      )
  },
})
