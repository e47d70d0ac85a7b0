import { attributes, isRefusal, results, scenario } from '../../../../conformance/scenario.ts'

const TIMES = 5

export default scenario({
  id: 'push.attestation.evidence-at-once',
  title: 'The verifier accepts and evaluates evidence once if it arrives several times at once',
  requirements: ['ATT-SUBMIT-AT-ONCE', 'ATT-SUBMIT-SECOND', 'ATT-EVALUATION-PASS'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.accepted',
  async run({ verifier, machines, check, observe }) {
    const agent = await machines.softAgent()
    const negotiation = await agent.negotiate()
    const replies = await Promise.all(
      Array.from({ length: TIMES }, () => agent.submit(negotiation)), // the defect
    )
    const seen = await agent.verdict(negotiation)
    check('ATT-EVALUATION-PASS', 'evaluation').of(attributes(seen, 'evaluation')).is('pass')
    const taken = replies.filter(({ status }) => status === 202).length
    observe(
      'SECONDPATCH',
      'statuses',
      replies.map(({ status }) => status),
    )
    check('ATT-SUBMIT-AT-ONCE', 'answers with 202').of(taken).is(1)
    check('ATT-SUBMIT-SECOND', 'answers to the others')
      .of(replies.filter(({ status }) => status !== 202))
      .meets({
        refused: (others) => others.length > 0 && others.every(isRefusal),
        taken: (others) => others.length === 0,
      })
    await agent.verdict(
      await agent.negotiate().then(async (next) => {
        await agent.submit(next)
        return next
      }),
    )
    check('ATT-SUBMIT-AT-ONCE', 'attestation_count after one more attestation')
      .of(results(await verifier.readAgent(agent.id), 'attestation_count'))
      .is(2)
  },
})
