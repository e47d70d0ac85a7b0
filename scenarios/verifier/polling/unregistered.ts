import { scenario } from '../../../conformance/scenario.ts'
import { countOf } from '../support/engine.ts'

export default scenario({
  id: 'verifier.polling.unregistered',
  title: 'The verifier polls a pull agent that no registrar has',
  requirements: ['VER-PULL-NO-REGISTRAR'],
  role: 'verifier',
  since: '2.3',
  until: '2.5',
  needs: ['pull_mode'],
  variantOf: 'verifier.polling.asked',
  async run({ machines, check }) {
    const agent = await machines.pullAgent({ until: 'listening' })
    const added = await agent.enrol() // the defect: it was never registered
    check('VER-PULL-NO-REGISTRAR', 'HTTP status of adding it').of(added.status).is(200)
    const record = await agent.recordOnce((one) => countOf(one) >= 1)
    check('VER-PULL-NO-REGISTRAR', 'attestation_count')
      .of(countOf(record))
      .matches('at least 1', (count) => count >= 1)
  },
})
