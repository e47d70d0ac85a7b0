import { evidenceFamily } from '../../conformance/dsl.ts'

export default evidenceFamily({
  place: 'adversarial.pcr-part',
  fixtures: 'e4-pcr-part',
  requirements: {
    36: 'VER-EVIDENCE-SELECTION',
    40: 'VER-EVIDENCE-PCR-DIGEST',
    41: 'VER-EVIDENCE-SELECTION',
  },
})
