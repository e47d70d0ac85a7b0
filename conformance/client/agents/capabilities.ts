import type { AttestingMachine } from '../../../simulator/machine/unbooted-machine.ts'
import { usualScheme } from '../../../simulator/swtpm/templates.ts'
import { BANKS } from '../../../simulator/tpm/hash.ts'
import { toHex } from '../../../simulator/tpm/write.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { base64 } from '../bytes.ts'

interface Offer {
  /** Whether there is a measurement list. Default true. */
  readonly imaLog?: boolean
  readonly imaFormats: readonly string[]
  /** Whether the measurement list supports a starting offset. Default true. */
  readonly imaInPart?: boolean
  readonly uefiLog: boolean
}

export const TEXT_LIST = 'text/plain'
export const BINARY_LIST = 'application/octet-stream'

const ALL_PCRS = Array.from({ length: 24 }, (_, pcr) => pcr)

/** Body of the capabilities POST (interface document, "Evidence item shapes"). */
export function capabilitiesOf(machine: AttestingMachine, offer: Offer, dialect: Dialect): unknown {
  return {
    data: {
      type: 'attestation',
      attributes: {
        evidence_supported: [
          quoteOffer(machine, dialect),
          ...(offer.uefiLog ? [uefiOffer(machine)] : []),
          ...(offer.imaLog === false ? [] : [imaOffer(machine, offer, dialect)]),
        ],
        system_info: { boot_time: machine.bootTime },
      },
    },
  }
}

interface Algorithms {
  readonly schemes: readonly string[]
  readonly banks: readonly string[]
}

/** Signature schemes and hashes of a virtual TPM, in the order in which agents list them. */
const TPM_ALGORITHMS: Algorithms = {
  schemes: ['ecdsa', 'ecschnorr', 'rsapss', 'rsassa'],
  banks: BANKS,
}

function quoteOffer(machine: AttestingMachine, dialect: Dialect): unknown {
  const { algorithm, scheme = usualScheme(algorithm), hash = 'sha256' } = machine.ak
  // The hash of the key's signatures is also the quoted bank.
  const ofKey: Algorithms = { schemes: [scheme], banks: [hash] }
  const offered = dialect['offered-algorithms'] === 'tpm' ? TPM_ALGORITHMS : ofKey
  return {
    evidence_class: 'certification',
    evidence_type: 'tpm_quote',
    capabilities: {
      signature_schemes: offered.schemes,
      hash_algorithms: offered.banks,
      available_subjects: availableSubjects(offered.banks, dialect),
      certification_keys: [certificationKey(machine, ofKey, dialect)],
      component_version: '2.0',
      evidence_version: '2.0',
    },
  }
}

function availableSubjects(banks: readonly string[], dialect: Dialect): unknown {
  if (dialect['available-subjects'] === 'list') return ALL_PCRS
  return Object.fromEntries(banks.map((bank) => [bank, ALL_PCRS]))
}

function certificationKey({ ak }: AttestingMachine, ofKey: Algorithms, dialect: Dialect): unknown {
  const [, kind, size] = /^(rsa|ecc)(\d+)$/.exec(ak.algorithm) ?? []
  const named = dialect['certification-key-local-identifier'] === 'present'
  return {
    key_class: 'asymmetric',
    key_algorithm: kind,
    key_size: Number(size),
    server_identifier: 'ak',
    ...(named ? { local_identifier: toHex(ak.name) } : {}),
    allowable_signature_schemes: ofKey.schemes,
    allowable_hash_algorithms: ofKey.banks,
    public: base64(publicOf(ak.public, dialect)),
  }
}

/** TPM2B_PUBLIC, or the TPMT_PUBLIC inside it, as the dialect requires. */
function publicOf(tpm2bPublic: Uint8Array, dialect: Dialect): Uint8Array {
  return dialect['certification-key-public'] === 'tpmt' ? tpm2bPublic.subarray(2) : tpm2bPublic
}

function uefiOffer({ uefi }: AttestingMachine): unknown {
  return {
    evidence_class: 'log',
    evidence_type: 'uefi_log',
    capabilities: {
      evidence_version: '2.1',
      entry_count: uefi.entryCount,
      supports_partial_access: false,
      appendable: false,
      formats: [BINARY_LIST],
    },
  }
}

const IMA_VERSIONS = { component_version: '1.0', evidence_version: '1.0' }

function imaOffer({ ima }: AttestingMachine, offer: Offer, dialect: Dialect): unknown {
  const { imaFormats, imaInPart = true } = offer
  return {
    evidence_class: 'log',
    evidence_type: 'ima_log',
    capabilities: {
      entry_count: ima.count,
      supports_partial_access: imaInPart,
      appendable: true,
      formats: imaFormats,
      ...(dialect['ima-offer-versions'] === 'present' ? IMA_VERSIONS : {}),
      component_version: '1.0',
      evidence_version: '1.0',
    },
  }
}
