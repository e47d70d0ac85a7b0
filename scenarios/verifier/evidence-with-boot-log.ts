import { scenario } from '../../conformance/scenario.ts'
import { thirdPartyEvidence, validityIn } from './support/engine.ts'

const NONCE = 'Zr7u2HfQ9cXk4TsB1nLe'

export default scenario({
  id: 'verifier.evidence-with-boot-log',
  title:
    'The verifier accepts evidence of a third party with a firmware log and a measurement list',
  requirements: ['VER-EVIDENCE-VALID'],
  role: 'verifier',
  since: '2.4',
  until: '2.5',
  needs: ['uefi_log'],
  variantOf: 'verifier.evidence-valid',
  async run({ verifier, machines, check }) {
    const machine = await machines.boot()
    const what = { quoted: NONCE, stated: NONCE, measuredBoot: true }
    const reply = await verifier.verifyEvidence(await thirdPartyEvidence(machine, what))
    check('VER-EVIDENCE-VALID', 'valid').of(validityIn(reply)).is(true)
  },
})
