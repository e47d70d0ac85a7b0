import { scenario } from '../../conformance/scenario.ts'
import { thirdPartyEvidence, validityIn } from './support/engine.ts'

const NONCE = 'Ub6n1JsD8xKf3WqL0zPe'

export default scenario({
  id: 'verifier.key-restricted',
  title: 'The verifier evaluates evidence by any restricted signing key of a TPM',
  requirements: ['VER-EVIDENCE-VALID'],
  role: 'verifier',
  since: '2.4',
  until: '2.5',
  variantOf: 'verifier.evidence-valid',
  async run({ verifier, machines, check }) {
    const machine = await machines.boot()
    const key = await machine.createRogueAk({ restricted: true })
    const evidence = await thirdPartyEvidence(machine, { quoted: NONCE, stated: NONCE, key })
    const reply = await verifier.verifyEvidence(evidence)
    check('VER-EVIDENCE-VALID', 'valid').of(validityIn(reply)).is(true)
  },
})
