import { evidenceFamily } from '../../conformance/dsl.ts'

export default evidenceFamily({
  place: 'adversarial.attest',
  fixtures: 'e2-attest',
  requirements: {
    9: 'VER-EVIDENCE-TPM-MADE',
    10: 'VER-EVIDENCE-IS-QUOTE',
    14: 'VER-EVIDENCE-QUOTE-OVER-NONCE',
  },
})
