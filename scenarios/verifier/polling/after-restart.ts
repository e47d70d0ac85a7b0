import { scenario } from '../../../conformance/scenario.ts'
import { countOf, restartVerifier } from '../support/engine.ts'

export default scenario({
  id: 'verifier.polling.after-restart',
  title: 'The verifier polls an agent again after a restart',
  requirements: ['VER-POLLS'],
  role: 'verifier',
  since: '2.5',
  until: '2.5',
  perMajor: true,
  needs: ['pull_mode'],
  alone: true,
  variantOf: 'verifier.polling.recorded',
  async run(context) {
    const { machines, verifier, check } = context
    const agent = await machines.pullAgent()
    await agent.recordOnce((one) => countOf(one) >= 1)
    await restartVerifier(context)
    const before = countOf(await verifier.readAgent(agent.id))
    const after = await agent.recordOnce((one) => countOf(one) > before)
    check('VER-POLLS', 'attestation_count after the restart')
      .of(countOf(after))
      .matches(`above ${before}`, (count) => count > before)
  },
})
