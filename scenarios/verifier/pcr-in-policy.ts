import { scenario, toHex } from '../../conformance/scenario.ts'
import { thirdPartyEvidence, validityIn } from './support/engine.ts'

const NONCE = 'Mt4w9RkZ2vYq7XcB5hGs'

export default scenario({
  id: 'verifier.pcr-in-policy',
  title: 'The verifier accepts a PCR value that the static policy lists',
  requirements: ['VER-EVIDENCE-VALID'],
  role: 'verifier',
  since: '2.4',
  until: '2.5',
  variantOf: 'verifier.evidence-valid',
  async run({ verifier, machines, check }) {
    const machine = await machines.boot()
    const [value = new Uint8Array()] = (await machine.tpm.pcrRead('sha256', [7])).values()
    const allowed = toHex(value)
    const evidence = await thirdPartyEvidence(machine, {
      ...{ quoted: NONCE, stated: NONCE, pcrs: [7] },
      tpmPolicy: { 7: [allowed] },
    })
    const reply = await verifier.verifyEvidence(evidence)
    check('VER-EVIDENCE-VALID', 'valid').of(validityIn(reply)).is(true)
  },
})
