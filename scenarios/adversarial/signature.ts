import { evidenceFamily } from '../../conformance/dsl.ts'

export default evidenceFamily({
  place: 'adversarial.signature',
  fixtures: 'e3-signature',
  requirements: {
    26: 'VER-EVIDENCE-SIGNATURE',
    27: 'VER-EVIDENCE-OTHER-AK',
    28: 'VER-EVIDENCE-SCHEME',
    29: 'VER-EVIDENCE-HASH-MISMATCH',
    30: 'VER-EVIDENCE-SCHEME',
    31: 'VER-EVIDENCE-SIGNATURE',
    32: 'VER-EVIDENCE-SIGNATURE',
  },
})
