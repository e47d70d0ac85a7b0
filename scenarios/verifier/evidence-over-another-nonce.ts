import { at, results, scenario } from '../../conformance/scenario.ts'
import { thirdPartyEvidence, validityIn } from './support/engine.ts'

const NONCE = 'Kq3n8VbT0xWz5LmR2pYd'

export default scenario({
  id: 'verifier.evidence-over-another-nonce',
  title: 'The verifier rejects evidence over another nonce and reports the failure',
  requirements: [
    ...['VER-EVIDENCE-INVALID', 'VER-EVIDENCE-INVALID-STATUS', 'VER-EVIDENCE-FAILURES-GIVEN'],
    ...['VER-EVIDENCE-FAILURE-SHAPE', 'VER-EVIDENCE-FAILURE-MESSAGE'],
    'VER-EVIDENCE-FAILURES-EMPTY',
  ],
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
    check('VER-EVIDENCE-INVALID-STATUS', 'HTTP status').of(reply.status).is(200)
    check('VER-EVIDENCE-FAILURES-GIVEN', 'failures')
      .of(results(reply, 'failures'))
      .matches('a list that is not empty', (list) => Array.isArray(list) && list.length > 0)
    const failure = results(reply, 'failures', 0)
    check('VER-EVIDENCE-FAILURE-SHAPE', 'type of the first failure')
      .of(at(failure, 'type'))
      .matches('a dotted failure type', (type) => /^[\w-]+(\.[\w-]+)+$/.test(String(type)))
    check('VER-EVIDENCE-FAILURE-SHAPE', 'context of the first failure')
      .of(at(failure, 'context'))
      .matches('an object', (context) => typeof context === 'object' && context !== null)
    check('VER-EVIDENCE-FAILURE-MESSAGE', 'context of the first failure')
      .of(at(failure, 'context'))
      .matches('one with a sentence in it', (context) =>
        Object.values(context ?? {}).some((text) => /\w \w/.test(String(text))),
      )
    const own = await thirdPartyEvidence(machine, { quoted: NONCE, stated: NONCE })
    check('VER-EVIDENCE-FAILURES-EMPTY', 'failures of the valid evidence that follows')
      .of(results(await verifier.verifyEvidence(own), 'failures'))
      .isOneOf([[], undefined])
  },
})
