import { toBase64 } from '../../bytes/base64.ts'
import { toHex } from '../../bytes/hex.ts'
import { type Algorithms, bitsOf, GENERIC_NAMES } from '../../config/algorithms.ts'
import type { SubjectForm } from '../../config/subject-form.ts'
import { nameOf } from '../../tpm/name.ts'
import type { ImaPart } from '../logs/ima-log.ts'
import type { ImaCount } from './count-entries.ts'

export const TEXT_FORMAT = 'text/plain'
export const BINARY_FORMAT = 'application/octet-stream'

/** The media type of a measurement list. */
export function formatOf({ isBinary = false }: Pick<ImaPart, 'isBinary'>): string {
  return isBinary ? BINARY_FORMAT : TEXT_FORMAT
}

/** The evidence that a machine can produce. */
export interface Abilities {
  readonly algorithms: Algorithms
  /** TPM2B_PUBLIC with its size. */
  readonly akPublic: Uint8Array
  readonly keyName: string
  /** PCRs of the bank. */
  readonly pcrs: readonly number[]
  readonly subjectForm: SubjectForm
  /** The measurement list; undefined on a machine without one. */
  readonly ima: ImaCount | undefined
  /** Events of the firmware's log; undefined on a machine without one. */
  readonly bootEvents: number | undefined
}

interface Offer {
  readonly evidence_class: 'certification' | 'log'
  readonly evidence_type: 'tpm_quote' | 'ima_log' | 'uefi_log'
  readonly capabilities: Readonly<Record<string, unknown>>
}

/** Makes the offer of one kind of evidence; undefined if the machine has none. */
export type OfferOf = (abilities: Abilities) => Offer | undefined

/** `evidence_supported` (interface document, "Evidence item shapes"). */
export const OFFERS: readonly OfferOf[] = [offerQuote, offerImaLog, offerBootLog]

/** The members of a key that a verifier repeats when it chooses the key. */
export interface KindOfKey {
  readonly key_class: 'asymmetric'
  readonly key_algorithm: 'rsa' | 'ecc'
  readonly key_size: number
}

export function kindOfKey({ key }: Pick<Algorithms, 'key'>): KindOfKey {
  return { key_class: 'asymmetric', key_algorithm: GENERIC_NAMES[key], key_size: bitsOf(key) }
}

/** What the attestation key can do, and no more: a verifier may choose anything that is offered. */
function offerQuote(abilities: Abilities): Offer {
  const { algorithms, akPublic, keyName, pcrs, subjectForm } = abilities
  const [schemes, hashes] = [[algorithms.signing], [algorithms.hash]]
  const certification_key = {
    ...kindOfKey(algorithms),
    server_identifier: keyName,
    // Upstream's: its verifiers answer with the key by it.
    local_identifier: toHex(nameOf(akPublic)),
    ...{ allowable_signature_schemes: schemes, allowable_hash_algorithms: hashes },
    // TPMT_PUBLIC, as upstream has it (ambiguity PUBENC).
    public: toBase64(akPublic.subarray(2)),
  }
  return {
    ...{ evidence_class: 'certification', evidence_type: 'tpm_quote' },
    capabilities: {
      ...{ signature_schemes: schemes, hash_algorithms: hashes },
      available_subjects: subjectForm === 'list' ? pcrs : { [algorithms.hash]: pcrs },
      certification_keys: [certification_key],
      ...{ component_version: '2.0', evidence_version: '2.0' },
    },
  }
}

function offerImaLog({ ima }: Abilities): Offer | undefined {
  if (ima === undefined) return undefined
  const { entries: entry_count, isBinary } = ima
  return {
    ...{ evidence_class: 'log', evidence_type: 'ima_log' },
    capabilities: {
      ...{
        entry_count,
        supports_partial_access: true,
        appendable: true,
        formats: [formatOf({ isBinary })],
      },
      ...{ component_version: '1.0', evidence_version: '1.0' },
    },
  }
}

function offerBootLog({ bootEvents: entry_count }: Abilities): Offer | undefined {
  if (entry_count === undefined) return undefined
  return {
    ...{ evidence_class: 'log', evidence_type: 'uefi_log' },
    capabilities: {
      ...{ entry_count, supports_partial_access: entry_count > 0, appendable: false },
      ...{ formats: [BINARY_FORMAT], component_version: '2.0', evidence_version: '2.1' },
    },
  }
}
