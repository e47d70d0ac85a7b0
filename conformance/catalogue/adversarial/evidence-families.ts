import type { AdversarialVariant } from './evidence-file.ts'
import type { EvidenceForm } from './evidence-forms.ts'

/** What the rejections of one file below `fixtures/adversarial/` count for. */
export interface EvidenceFamily {
  /** The part of the evidence that its variants change. */
  readonly title: string
  /**
   * Case or variant id -> requirement that its rejections count for. A case has its own requirement only if a single
   * check can reject it.
   */
  readonly requirements?: Readonly<Record<number | string, string>>
  /**
   * Default requirement. If absent: VER-EVIDENCE-MALFORMED-NOT-VALID for unreadable evidence,
   * VER-EVIDENCE-QUOTE-BENT for the rest.
   */
  readonly otherwise?: string
  /** Baseline or variant id -> optional forms of evidence that it uses. */
  readonly forms?: Readonly<Record<string, readonly EvidenceForm[]>>
  /** Capabilities of the target file. */
  readonly needs?: readonly string[]
}

/** Evidence that is not changed, or in a way that does not matter, is valid. */
export const VALID = 'VER-EVIDENCE-VALID'
/** Of evidence whose verdict is open. */
export const ANSWERED = 'VER-EVIDENCE-JUDGED-OR-REFUSED'
export const SILENT = 'VER-EVIDENCE-MALFORMED'

const MUTATED = 'VER-EVIDENCE-QUOTE-BENT'
const UNREADABLE = 'VER-EVIDENCE-MALFORMED-NOT-VALID'
const TEXT = 'VER-EVIDENCE-TEXT'
const NONCE = 'VER-EVIDENCE-QUOTE-OVER-NONCE'
const DIGEST = 'VER-EVIDENCE-PCR-DIGEST'
const ENDS = 'VER-EVIDENCE-ATTEST-ENDS'
const SELECTION = 'VER-EVIDENCE-SELECTION'
const SIGNATURE = 'VER-EVIDENCE-SIGNATURE'
const SCHEME = 'VER-EVIDENCE-SCHEME'
const OTHER_HASH = 'VER-EVIDENCE-HASH-MISMATCH'
const LIST_UNREADABLE = 'VER-EVIDENCE-IMA-UNREADABLE'
const LIST_MUTATED = 'VER-EVIDENCE-IMA-BENT'
const RUNTIME_POLICY = 'VER-EVIDENCE-RUNTIME-JUDGES'
const BOOT_POLICY = 'VER-EVIDENCE-BOOT-JUDGES'

const QUOTE_STRING: EvidenceFamily = {
  title: 'The text of a quote.',
  requirements: { 1: TEXT, 2: TEXT, 6: TEXT, 7: TEXT, 8: OTHER_HASH },
}

const ATTEST: EvidenceFamily = {
  title: 'The structure that a TPM signs (TPMS_ATTEST).',
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
}

const SIGNATURES: EvidenceFamily = {
  title: 'The signature of a quote (TPMT_SIGNATURE).',
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
    29: OTHER_HASH,
    31: SIGNATURE,
    'e3-31-size-65535': UNREADABLE,
    32: SIGNATURE,
    'e3-32-r-of-67': UNREADABLE,
    35: 'VER-EVIDENCE-SIGNATURE-ENDS',
  },
}

/** Mislabelled values match neither the signature nor the policy, so several checks may reject them. */
const PCR_PART: EvidenceFamily = {
  title: 'The PCR values of a quote.',
  forms: { banks: ['several-banks'], 'boot-all': ['ima-pcr-alone'] },
}

const IMA_ASCII: EvidenceFamily = {
  title: 'The measurement list of IMA, as text.',
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
    'e6-59-three-columns': LIST_UNREADABLE,
    'e6-59-four-columns': LIST_UNREADABLE,
    'e6-59-words': LIST_UNREADABLE,
    'e6-60-another': 'VER-EVIDENCE-IMA-HASH',
    61: 'VER-EVIDENCE-IMA-DIGEST-NAMED',
    'e6-61-missing': LIST_MUTATED,
    'e6-61-md5': RUNTIME_POLICY,
    'e6-61-sm3': RUNTIME_POLICY,
    63: RUNTIME_POLICY,
    'e6-65-eleven-added': 'VER-EVIDENCE-IMA-PCR',
    67: 'VER-EVIDENCE-IMA-SIGNATURE',
    'e6-68-false-digest': 'VER-EVIDENCE-IMA-BUFFER',
    'e6-68-key-unlisted': RUNTIME_POLICY,
    70: 'VER-EVIDENCE-IMA-REPLAYS',
    71: RUNTIME_POLICY,
  },
  otherwise: LIST_MUTATED,
}

const BOOT = { needs: ['uefi_log', 'measured_boot'] } as const

const UEFI_LOG: EvidenceFamily = {
  title: 'The firmware log.',
  ...BOOT,
  requirements: {
    94: BOOT_POLICY,
    95: BOOT_POLICY,
    98: BOOT_POLICY,
    99: BOOT_POLICY,
    100: 'VER-EVIDENCE-BOOT-BANK',
  },
  otherwise: 'VER-EVIDENCE-BOOT-REPLAYS',
}

/** Files whose evidence verify/evidence can carry. */
export const EVIDENCE_FAMILIES = {
  'e1-quote-string': QUOTE_STRING,
  'e2-attest': ATTEST,
  'e3-signature': SIGNATURES,
  'e4-pcr-part': PCR_PART,
  'e6-ima-ascii': IMA_ASCII,
  'e8-uefi-log': UEFI_LOG,
  'e9-uefi-data': {
    ...BOOT,
    title: 'The data of events in the firmware log.',
    otherwise: BOOT_POLICY,
  },
} satisfies Readonly<Record<string, EvidenceFamily>>

/** The name of such a file, without `.json`. */
export type EvidenceFile = keyof typeof EVIDENCE_FAMILIES

/** The requirements that the answer to a variant counts for; a rejection counts for the first. */
export function requirementsOf(
  { requirements = {}, otherwise }: EvidenceFamily,
  { id, case: number, outcome }: Pick<AdversarialVariant, 'id' | 'case' | 'outcome'>,
): readonly [string, ...string[]] {
  if (outcome === 'pass') return [VALID]
  if (outcome === 'either') return [ANSWERED, SILENT]
  const usual = outcome === 'malformed' ? UNREADABLE : MUTATED
  return [requirements[id] ?? requirements[number] ?? otherwise ?? usual]
}
