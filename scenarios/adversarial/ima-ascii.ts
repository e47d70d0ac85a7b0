import { evidenceFamily } from './support/evidence-family.ts'

const POLICY_APPLIES = 'VER-EVIDENCE-RUNTIME-JUDGES'
const UNREADABLE = 'VER-EVIDENCE-IMA-UNREADABLE'
const MUTATED = 'VER-EVIDENCE-IMA-BENT'

/**
 * A case or variant has its own requirement only if it can be refused for one reason; the others are mutated in
 * several ways.
 */
export default evidenceFamily({
  place: 'adversarial.ima-ascii',
  fixtures: 'e6-ima-ascii',
  forms: {
    ngv2: ['rare-template'],
    signed: ['signing-keys'],
    'e6-62-newline': ['name-of-lines'],
    'e6-62-newline-last': ['name-of-lines'],
    'e6-62-newlines': ['name-of-lines'],
    'e6-69-evm': ['rare-template'],
    'e6-69-evm-empty': ['rare-template'],
    'e6-69-fields': ['rare-template'],
    'e6-69-modsig': ['rare-template'],
    'e6-69-modsig-empty': ['rare-template'],
  },
  requirements: {
    'e6-59-three-columns': UNREADABLE,
    'e6-59-four-columns': UNREADABLE,
    'e6-59-words': UNREADABLE,
    'e6-60-another': 'VER-EVIDENCE-IMA-HASH',
    61: 'VER-EVIDENCE-IMA-DIGEST-NAMED',
    'e6-61-missing': MUTATED,
    'e6-61-md5': POLICY_APPLIES,
    'e6-61-sm3': POLICY_APPLIES,
    63: POLICY_APPLIES,
    'e6-65-eleven-added': 'VER-EVIDENCE-IMA-PCR',
    67: 'VER-EVIDENCE-IMA-SIGNATURE',
    'e6-68-false-digest': 'VER-EVIDENCE-IMA-BUFFER',
    'e6-68-key-unlisted': POLICY_APPLIES,
    70: 'VER-EVIDENCE-IMA-REPLAYS',
    71: POLICY_APPLIES,
  },
  otherwise: MUTATED,
})
