import { at, results, scenario } from '../../conformance/scenario.ts'
import { thirdPartyEvidence, validityIn } from './support/engine.ts'

const NONCE = 'Kq3n8VbT0xWz5LmR2pYd'

export default scenario({
  id: 'verifier.evidence-over-another-nonce',
  title: 'The verifier rejects evidence over another nonce and reports the failure',
  requirements: ['VER-EVIDENCE-INVALID', 'VER-EVIDENCE-FAILURE-SHAPE'],
  role: 'verifier',
  provesFunction: true,
  since: '2.4',
  until: '2.5',
  variantOf: 'verifier.evidence-valid',
  async run({ verifier, machines, check }) {
    const machine = await machines.boot()
    const quoted = 'AnotherNonce12345678' // the defect
    const evidence = await thirdPartyEvidence(machine, { quoted, stated: NONCE })
    const reply = await verifier.verifyEvidence(evidence)
    check('VER-EVIDENCE-INVALID', 'valid').of(validityIn(reply)).is(false)
    const failure = results(reply, 'failures', 0)
    check('VER-EVIDENCE-FAILURE-SHAPE', 'type of the first failure')
      .of(at(failure, 'type'))
      .matches('a dotted failure type', (type) => /^[\w-]+(\.[\w-]+)+$/.test(String(type)))
    check('VER-EVIDENCE-FAILURE-SHAPE', 'context of the first failure')
      .of(at(failure, 'context'))
      .matches('an object', (context) => typeof context === 'object' && context !== null)
  },
})
