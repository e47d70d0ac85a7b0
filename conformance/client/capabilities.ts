import type { Machine } from '../../simulator/machine.ts'
import { base64 } from './bytes.ts'

export interface Offer {
  readonly imaFormats: readonly string[]
  readonly uefiLog: boolean
}

export const TEXT_LIST = 'text/plain'
export const BINARY_LIST = 'application/octet-stream'

const ALL_PCRS = Array.from({ length: 24 }, (_, pcr) => pcr)

/** Body of the capabilities POST: what this machine can prove (interface document, "Evidence item shapes"). */
export function capabilitiesOf(machine: Machine, offer: Offer): unknown {
  return {
    data: {
      type: 'attestation',
      attributes: {
        evidence_supported: [
          quoteOffer(machine),
          ...(offer.uefiLog ? [uefiOffer(machine)] : []),
          imaOffer(machine, offer),
        ],
        system_info: { boot_time: machine.bootTime },
      },
    },
  }
}

function quoteOffer({ ak }: Machine): unknown {
  const rsa = ak.algorithm === 'rsa2048'
  const scheme = rsa ? 'rsassa' : 'ecdsa'
  return {
    evidence_class: 'certification',
    evidence_type: 'tpm_quote',
    capabilities: {
      signature_schemes: [scheme],
      hash_algorithms: ['sha256'],
      available_subjects: ALL_PCRS,
      certification_keys: [
        {
          key_class: 'asymmetric',
          key_algorithm: rsa ? 'rsa' : 'ecc',
          key_size: rsa ? 2048 : 256,
          server_identifier: 'ak',
          allowable_signature_schemes: [scheme],
          allowable_hash_algorithms: ['sha256'],
          public: base64(ak.public),
        },
      ],
      component_version: '2.0',
      evidence_version: '2.0',
    },
  }
}

function uefiOffer({ uefi }: Machine): unknown {
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

function imaOffer({ ima }: Machine, { imaFormats }: Offer): unknown {
  return {
    evidence_class: 'log',
    evidence_type: 'ima_log',
    capabilities: {
      entry_count: ima.count,
      supports_partial_access: true,
      appendable: true,
      formats: imaFormats,
    },
  }
}
