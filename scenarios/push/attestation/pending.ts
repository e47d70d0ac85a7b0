import { at, attributes, listOf, type Reply, scenario } from '../../../conformance/scenario.ts'

const challengeIn = (reply: Reply) =>
  listOf(attributes(reply, 'evidence_requested'))
    ?.filter((item) => at(item, 'evidence_type') === 'tpm_quote')
    .map((item) => at(item, 'chosen_parameters', 'challenge'))
const isOver = (reply: Reply) => attributes(reply, 'stage') === 'verification_complete'

export default scenario({
  id: 'push.attestation.pending',
  title:
    'The verifier acknowledges an attestation before the evaluation, and reports it as pending until then',
  requirements: [
    'ATT-SUBMIT-ACKNOWLEDGED',
    'ATT-EVALUATION-VALUES',
    'ATT-EVALUATION-PENDING',
    'ATT-COMPLETE-EVALUATED',
    'ATT-KEPT-CHALLENGE-SAME',
  ],
  role: 'verifier',
  since: '3.0',
  async run({ verifier, machines, check }) {
    const agent = await machines.softAgent()
    const negotiation = await agent.negotiate()
    const waiting = await verifier.attestation(agent.id, negotiation.index)
    check('ATT-KEPT-CHALLENGE-SAME', 'challenge in a read while evidence is awaited')
      .of(challengeIn(waiting))
      .is(challengeIn(negotiation.reply))
    const accepted = await agent.submit(negotiation)
    check('ATT-SUBMIT-ACKNOWLEDGED', 'verdict that the acknowledgement waited for')
      .of(attributes(accepted, 'verification_completed_at') ?? null)
      .is(null)
    const meanwhile = await verifier.attestation(agent.id, negotiation.index)
    const evaluated = await agent.verdict(negotiation)
    const [open, over] = [
      [undefined, 'pending'],
      ['pass', 'fail'],
    ]
    for (const seen of [negotiation.reply, waiting, accepted, meanwhile, evaluated]) {
      const evaluation = attributes(seen, 'evaluation')
      const [row, expected] = isOver(seen)
        ? (['ATT-COMPLETE-EVALUATED', over] as const)
        : (['ATT-EVALUATION-PENDING', open] as const)
      check('ATT-EVALUATION-VALUES', 'evaluation')
        .of(evaluation)
        .isOneOf([...open, ...over])
      check(row, `evaluation at ${attributes(seen, 'stage')}`)
        .of(evaluation)
        .isOneOf(expected)
    }
  },
})
