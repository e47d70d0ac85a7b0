import Type, { type Static } from 'typebox'

const Text = Type.String({ minLength: 1, maxLength: 65_536 })
const Nullable = <T extends Type.TSchema>(shape: T) =>
  Type.Optional(Type.Union([shape, Type.Null()]))

/**
 * Registration request (interface document, "Registrar agent record"). `ek_tpm` is upstream's extra
 * member: with it the EK certificate may be absent. `port` is sent as a string; a number is taken too.
 */
export const RegistrationRequest = Type.Object({
  agent_id: Type.Optional(Text),
  ekcert: Nullable(Type.String({ maxLength: 65_536 })),
  ek_tpm: Nullable(Text),
  aik_tpm: Text,
  mtls_cert: Nullable(Type.String({ maxLength: 65_536 })),
  ip: Nullable(Type.String({ maxLength: 255 })),
  port: Nullable(
    Type.Union([Type.String({ pattern: '^[0-9]{1,5}$' }), Type.Integer({ minimum: 0 })]),
  ),
})
export type RegistrationRequest = Static<typeof RegistrationRequest>

export const ActivationRequest = Type.Object({ auth_tag: Text })
