import { results, scenario } from '../../conformance/scenario.ts'
import { thirdPartyEvidence, validityIn } from './support/engine.ts'

const NONCE = 'Kq3n8VbT0xWz5LmR2pYd'

export default scenario({
  id: 'verifier.evidence-valid',
  title: 'The verifier evaluates evidence of a third party in one call',
  requirements: [
    'VER-EVIDENCE-STATUS',
    'VER-EVIDENCE-VALID',
    'VER-EVIDENCE-FAILURES-EMPTY',
    'VER-EVIDENCE-CLAIMS',
  ],
  role: 'verifier',
  since: '2.4',
  until: '2.5',
  async run({ verifier, machines, version, check }) {
    const machine = await machines.boot()
    const evidence = await thirdPartyEvidence(machine, { quoted: NONCE, stated: NONCE })
    const reply = await verifier.verifyEvidence(evidence)
    check('VER-EVIDENCE-STATUS', 'HTTP status').of(reply.status).is(200)
    check('VER-EVIDENCE-VALID', 'valid').of(validityIn(reply)).is(true)
    check('VER-EVIDENCE-FAILURES-EMPTY', 'failures')
      .of(results(reply, 'failures'))
      .isOneOf([[], undefined])
    if (version !== '2.4')
      check('VER-EVIDENCE-CLAIMS', 'claims')
        .of(results(reply, 'claims'))
        .matches('there', (claims) => claims !== undefined)
  },
})
