import { flipBit, scenario, toHex } from '../../conformance/scenario.ts'
import { thirdPartyEvidence, validityIn } from './support/engine.ts'

const NONCE = 'Mt4w9RkZ2vYq7XcB5hGs'

export default scenario({
  id: 'verifier.pcr-not-in-policy',
  title:
    'The verifier does not accept a PCR value that differs from the static policy in its last bit',
  requirements: ['VER-EVIDENCE-PCR-POLICY'],
  role: 'verifier',
  since: '2.4',
  until: '2.5',
  variantOf: 'verifier.pcr-in-policy',
  async run({ verifier, machines, check }) {
    const machine = await machines.boot()
    const [value = new Uint8Array()] = (await machine.tpm.pcrRead('sha256', [7])).values()
    const allowed = toHex(flipBit(value, -1)) // the defect
    const evidence = await thirdPartyEvidence(machine, {
      ...{ quoted: NONCE, stated: NONCE, pcrs: [7] },
      tpmPolicy: { 7: [allowed] },
    })
    const reply = await verifier.verifyEvidence(evidence)
    check('VER-EVIDENCE-PCR-POLICY', 'valid').of(validityIn(reply)).is(false)
  },
})
