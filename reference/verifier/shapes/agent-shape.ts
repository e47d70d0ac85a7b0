import Type, { type Static } from 'typebox'

const MAX_POLICY = 64 * 1024 * 1024
const Text = Type.String({ maxLength: 65_536 })
const Policy = Type.String({ maxLength: MAX_POLICY })
const Nullable = <T extends Type.TSchema>(shape: T) =>
  Type.Optional(Type.Union([shape, Type.Null()]))
const Algorithms = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 32 }), { maxItems: 32 }),
)

/**
 * Add-agent request (interface document, "Add-agent request"). Only `ak_tpm` cannot be missed, and up to 2.0 the
 * registrar has it; the rest may be absent, since `has_runtime_policy` and its like can be 0 (ambiguity REQOPT).
 * `mb_policy` is upstream's name for `mb_refstate`, and may stand under a name instead.
 */
export const AddAgentRequest = Type.Object({
  ak_tpm: Nullable(Type.String({ maxLength: 8192 })),
  v: Nullable(Text),
  cloudagent_ip: Nullable(Text),
  cloudagent_port: Nullable(
    Type.Union([Type.String({ maxLength: 16 }), Type.Integer({ minimum: 0 })]),
  ),
  tpm_policy: Nullable(Text),
  vtpm_policy: Nullable(Text),
  mtls_cert: Nullable(Text),
  runtime_policy_name: Nullable(Type.String({ maxLength: 255 })),
  runtime_policy: Nullable(Policy),
  runtime_policy_sig: Nullable(Text),
  runtime_policy_key: Nullable(Text),
  mb_refstate: Nullable(Policy),
  mb_policy: Nullable(Policy),
  mb_policy_name: Nullable(Type.String({ maxLength: 255 })),
  ima_sign_verification_keys: Nullable(Policy),
  metadata: Nullable(Text),
  revocation_key: Nullable(Text),
  accept_tpm_hash_algs: Algorithms,
  accept_tpm_encryption_algs: Algorithms,
  accept_tpm_signing_algs: Algorithms,
  supported_version: Nullable(Type.String({ maxLength: 16 })),
})
export type AddAgentRequest = Static<typeof AddAgentRequest>

/** POST …/allowlists/{name} */
export const RuntimePolicyRequest = Type.Object({
  tpm_policy: Nullable(Text),
  runtime_policy: Type.String({ minLength: 1, maxLength: MAX_POLICY }),
  runtime_policy_sig: Nullable(Text),
  runtime_policy_key: Nullable(Text),
})

/** POST and PUT …/mbpolicies/{name}: the text of a JSON object, under either of its names (ambiguity MBNAMES). */
export const BootPolicyRequest = Type.Object({
  mb_policy: Nullable(Policy),
  mb_refstate: Nullable(Policy),
})

const EvidenceMembers = {
  nonce: Type.String({ minLength: 1, maxLength: 256 }),
  quote: Type.String({ minLength: 1, maxLength: 65_536 }),
  hash_alg: Type.String({ minLength: 1, maxLength: 32 }),
  tpm_ak: Type.String({ minLength: 1, maxLength: 8192 }),
  tpm_ek: Type.String({ minLength: 1, maxLength: 8192 }),
  tpm_policy: Nullable(Text),
  runtime_policy: Nullable(Policy),
  mb_policy: Nullable(Policy),
  ima_measurement_list: Nullable(Policy),
  mb_list: Nullable(Policy),
  mb_log: Nullable(Policy),
}

/** POST …/verify/evidence, the document's flat body. */
export const VerifyEvidenceRequest = Type.Object(EvidenceMembers)
export type VerifyEvidenceRequest = Static<typeof VerifyEvidenceRequest>

/** The same in upstream's form: a `type` and the members under `data`. */
export const TypedEvidenceRequest = Type.Object({
  type: Type.Literal('tpm'),
  data: VerifyEvidenceRequest,
})
