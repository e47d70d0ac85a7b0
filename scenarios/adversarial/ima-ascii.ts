import { evidenceFamily } from '../../conformance/dsl.ts'

const REPLAYS = 'VER-EVIDENCE-IMA-REPLAYS'
const JUDGES = 'VER-EVIDENCE-RUNTIME-JUDGES'

export default evidenceFamily({
  place: 'adversarial.ima-ascii',
  fixtures: 'e6-ima-ascii',
  requirements: {
    58: REPLAYS,
    59: REPLAYS,
    60: REPLAYS,
    61: JUDGES,
    63: JUDGES,
    65: REPLAYS,
    66: REPLAYS,
    67: JUDGES,
    68: JUDGES,
    70: REPLAYS,
    71: JUDGES,
    73: REPLAYS,
  },
})
