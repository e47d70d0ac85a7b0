import { scenario } from '../../conformance/scenario.ts'
import { answerIn, NOT_VALID, thirdPartyEvidence } from './support/engine.ts'

const NONCE = 'Ub6n1JsD8xKf3WqL0zPe'

export default scenario({
  id: 'verifier.key-unrestricted',
  title: 'The verifier does not accept evidence by an unrestricted key',
  requirements: ['VER-EVIDENCE-AK-RESTRICTED'],
  role: 'verifier',
  since: '2.4',
  until: '2.5',
  variantOf: 'verifier.key-restricted',
  async run({ verifier, machines, check }) {
    const machine = await machines.boot()
    const key = await machine.createRogueAk({ restricted: false }) // the defect
    const evidence = await thirdPartyEvidence(machine, { quoted: NONCE, stated: NONCE, key })
    const reply = await verifier.verifyEvidence(evidence)
    check('VER-EVIDENCE-AK-RESTRICTED', 'valid')
      .of(answerIn(reply))
      .matches(...NOT_VALID)
  },
})
