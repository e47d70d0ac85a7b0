/**
 * What evidence can say and must not. `request-form` is of a request that states no evidence at all; `list-form` of a list and
 * `boot-fault` of a firmware log that only a mutation knows to be wrong; the last ones are of registrations.
 */
export type ContradictionId =
  | 'key-form'
  | 'attest-form'
  | 'signature-form'
  | 'pcrs-form'
  | 'magic'
  | 'type'
  | 'nonce'
  | 'signature'
  | 'scheme'
  | 'selection'
  | 'selection-shown'
  | 'hash-alg'
  | 'pcr-digest'
  | 'list-unquoted'
  | 'list-replay'
  | 'list-hash'
  | 'list-missing'
  | 'policy-form'
  | 'policy-file'
  | 'policy-pcr'
  | 'boot-missing'
  | 'boot-unquoted'
  | 'boot-bank'
  | 'boot-replay'
  | 'boot-aggregate'
  | 'boot-secure'
  | 'boot-unproven'
  | 'boot-type'
  | 'boot-error'
  | 'boot-key'
  | 'boot-revoked'
  | 'boot-firmware'
  | 'boot-mok'
  | 'boot-image'
  | 'request-form'
  | 'list-form'
  | 'boot-fault'
  | 'key-attributes'
  | 'ekcert-form'
  | 'ekcert-maker'
  | 'ekcert-time'
  | 'ekcert-key'

/** One of them: its id, and a sentence that begins with "the evidence". */
export interface Contradiction {
  readonly id: ContradictionId
  readonly says: string
}
