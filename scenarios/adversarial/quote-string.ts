import { evidenceFamily } from './support/evidence-family.ts'

export default evidenceFamily({
  place: 'adversarial.quote-string',
  fixtures: 'e1-quote-string',
  requirements: {
    1: 'VER-EVIDENCE-TEXT',
    2: 'VER-EVIDENCE-TEXT',
    6: 'VER-EVIDENCE-TEXT',
    7: 'VER-EVIDENCE-TEXT',
    8: 'VER-EVIDENCE-HASH-MISMATCH',
  },
})
