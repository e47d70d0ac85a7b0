import { NOON } from '../../../dev/testing/settable-clock.ts'
import { timestamp } from '../../../platform/clock.ts'

/** Replies of an honest verifier and registrar, at noon of the virtual clock. */
export const CHALLENGE = Buffer.from('sixteen bytes ok').toString('base64')
export const TOKEN = '0f0e.a-secret'

const at = (seconds: number) => timestamp(NOON + seconds * 1000)

export const VERSIONS = {
  results: { current_version: '2.5', supported_versions: ['2.5', '3.0'] },
}
export const BLOB = { results: { blob: 'AAAA' } }

export const session = (change: object = {}, challenge: unknown = CHALLENGE) => ({
  data: {
    type: 'session',
    id: 'b5cb0000-0000-4000-8000-000000000001',
    attributes: {
      authentication_requested: [
        {
          authentication_class: 'pop',
          authentication_type: 'tpm_pop',
          chosen_parameters: { challenge },
        },
      ],
      created_at: at(0),
      challenges_expire_at: at(60),
      ...change,
    },
  },
})

export const granted = (change: object = {}) => ({
  data: {
    type: 'session',
    attributes: {
      ...{ evaluation: 'pass', token: TOKEN, token_expires_at: at(180) },
      ...{ response_received_at: at(0), ...change },
    },
  },
})

export const QUOTE = {
  evidence_class: 'certification',
  evidence_type: 'tpm_quote',
  chosen_parameters: {
    ...{ challenge: CHALLENGE, signature_scheme: 'ecdsa', hash_algorithm: 'sha256' },
    selected_subjects: [0, 10],
    certification_key: { key_class: 'asymmetric', server_identifier: 'ak' },
  },
}

export const IMA = {
  evidence_class: 'log',
  evidence_type: 'ima_log',
  chosen_parameters: { starting_offset: 1, entry_count: 2, format: 'text/plain' },
}

export const UEFI = {
  evidence_class: 'log',
  evidence_type: 'uefi_log',
  chosen_parameters: { starting_offset: 0, format: 'application/octet-stream' },
}

export const begun = (
  evidence_requested: readonly unknown[] = [QUOTE, IMA],
  change: object = {},
) => ({
  data: {
    ...{ type: 'attestation', id: '7' },
    attributes: {
      ...{ stage: 'awaiting_evidence', evidence_requested },
      ...{ capabilities_received_at: at(0), challenges_expire_at: at(1800), ...change },
    },
  },
})

export const taken = (seconds: unknown = 10) => ({
  data: { type: 'attestation', id: '7', attributes: { stage: 'evaluating_evidence' } },
  meta: { seconds_to_next_attestation: seconds },
})
