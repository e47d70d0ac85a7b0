import { evidenceFamily } from '../../conformance/dsl.ts'

export default evidenceFamily({
  place: 'adversarial.attest',
  fixtures: 'e2-attest',
  requirements: {
    9: 'VER-EVIDENCE-TPM-MADE',
    10: 'VER-EVIDENCE-IS-QUOTE',
    11: 'VER-EVIDENCE-IS-QUOTE',
    13: 'VER-EVIDENCE-QUOTE-OVER-NONCE',
    14: 'VER-EVIDENCE-QUOTE-OVER-NONCE',
    15: 'VER-EVIDENCE-QUOTE-OVER-NONCE',
    22: 'VER-EVIDENCE-SELECTION',
    24: 'VER-EVIDENCE-SELECTION',
    25: 'VER-EVIDENCE-PCR-DIGEST',
  },
})
