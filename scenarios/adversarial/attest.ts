import { evidenceFamily } from './support/evidence-family.ts'

const NONCE = 'VER-EVIDENCE-QUOTE-OVER-NONCE'
const DIGEST = 'VER-EVIDENCE-PCR-DIGEST'
const ENDS = 'VER-EVIDENCE-ATTEST-ENDS'
const SELECTION = 'VER-EVIDENCE-SELECTION'
const UNREADABLE = 'VER-EVIDENCE-MALFORMED-NOT-VALID'
const MUTATED = 'VER-EVIDENCE-QUOTE-BENT'

/** A case has its own requirement only if a single check can refuse it. */
export default evidenceFamily({
  place: 'adversarial.attest',
  fixtures: 'e2-attest',
  forms: {
    banks: ['several-banks'],
    boot: ['ima-pcr-alone'],
    multibank: ['several-banks', 'ima-pcr-alone'],
  },
  requirements: {
    9: 'VER-EVIDENCE-TPM-MADE',
    'e2-9-magic-zero-unrestricted': MUTATED,
    10: 'VER-EVIDENCE-IS-QUOTE',
    11: 'VER-EVIDENCE-IS-QUOTE',
    'e2-11-type-unknown': UNREADABLE,
    'e2-11-type-swapped': UNREADABLE,
    13: NONCE,
    14: NONCE,
    15: NONCE,
    'e2-15-padded-to-67': UNREADABLE,
    'e2-17-digest-of-0': DIGEST,
    'e2-17-digest-of-19': DIGEST,
    'e2-17-digest-of-31': DIGEST,
    'e2-17-digest-of-33': DIGEST,
    'e2-17-digest-of-64': DIGEST,
    'e2-18-trailing-1-signed': ENDS,
    'e2-18-trailing-2-signed': ENDS,
    'e2-18-trailing-700-signed': ENDS,
    'e2-22-bank-twice-signed': SELECTION,
    'e2-22-bank-null-signed': SELECTION,
    'e2-22-bank-sm3-signed': SELECTION,
    'e2-22-bank-unknown-signed': SELECTION,
    'e2-23-pcr-24-signed': SELECTION,
    'e2-24-mask-reversed-signed': SELECTION,
    25: DIGEST,
  },
})
