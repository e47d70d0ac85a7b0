import Type, { type Static } from 'typebox'

const Text = Type.String({ minLength: 1, maxLength: 65_536 })
const Member = Type.String({ maxLength: 65_536 })
const Nullable = <T extends Type.TSchema>(shape: T) =>
  Type.Optional(Type.Union([shape, Type.Null()]))

/**
 * Registration request (interface document, "Registrar agent record"). `ek_tpm` is upstream's extra
 * member: with it the EK certificate may be absent. `port` is sent as a string; a number is accepted too.
 * The `iak` and `idevid` members are upstream's, too.
 */
export const RegistrationRequest = Type.Object({
  agent_id: Type.Optional(Text),
  ekcert: Nullable(Type.String({ maxLength: 65_536 })),
  ek_tpm: Nullable(Member),
  aik_tpm: Text,
  mtls_cert: Nullable(Type.String({ maxLength: 65_536 })),
  ip: Nullable(Type.String({ maxLength: 255 })),
  port: Nullable(
    Type.Union([Type.String({ pattern: '^[0-9]{1,5}$' }), Type.Integer({ minimum: 0 })]),
  ),
  iak_tpm: Nullable(Member),
  iak_cert: Nullable(Member),
  idevid_tpm: Nullable(Member),
  idevid_cert: Nullable(Member),
  iak_attest: Nullable(Member),
  iak_sign: Nullable(Member),
})
export type RegistrationRequest = Static<typeof RegistrationRequest>

export const ActivationRequest = Type.Object({ auth_tag: Text })

/** Activation of an agent with a virtual TPM (interface document, "Legacy v2 listing"). */
export const VirtualActivationRequest = Type.Object({ deepquote: Text })
