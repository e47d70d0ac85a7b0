import { evidenceFamily } from './support/evidence-family.ts'

const SIGNATURE = 'VER-EVIDENCE-SIGNATURE'
const SCHEME = 'VER-EVIDENCE-SCHEME'
const UNREADABLE = 'VER-EVIDENCE-MALFORMED-NOT-VALID'

/** A case has its own requirement only if a single check can refuse it. */
export default evidenceFamily({
  place: 'adversarial.signature',
  fixtures: 'e3-signature',
  forms: {
    pss: ['rsapss'],
    'boot-ecc': ['ima-pcr-alone'],
    'boot-pss': ['rsapss', 'ima-pcr-alone'],
  },
  requirements: {
    26: SIGNATURE,
    'e3-27-key-of-another': 'VER-EVIDENCE-OTHER-AK',
    'e3-28-pss-salt-0': SCHEME,
    'e3-28-pss-salt-32': SCHEME,
    'e3-28-pss-salt-222': SCHEME,
    29: 'VER-EVIDENCE-HASH-MISMATCH',
    31: SIGNATURE,
    'e3-31-size-65535': UNREADABLE,
    32: SIGNATURE,
    'e3-32-r-of-67': UNREADABLE,
    35: 'VER-EVIDENCE-SIGNATURE-ENDS',
  },
})
