import Type, { type Static } from 'typebox'

const Text = Type.String({ minLength: 1, maxLength: 4096 })
const Names = Type.Array(Text, { maxItems: 64 })
const PcrNumbers = Type.Array(Type.Integer({ minimum: 0, maximum: 23 }), { maxItems: 24 })

/** The document's list of PCR numbers, or upstream's object from bank to list (ambiguity table, ruling 4). */
const Subjects = Type.Union([PcrNumbers, Type.Record(Type.String(), PcrNumbers)])

const CertificationKey = Type.Object({
  key_class: Type.Optional(Text),
  key_algorithm: Type.Optional(Text),
  key_size: Type.Optional(Type.Integer({ minimum: 0 })),
  server_identifier: Type.Optional(Text),
  local_identifier: Type.Optional(Text),
  allowable_signature_schemes: Type.Optional(Names),
  allowable_hash_algorithms: Type.Optional(Names),
  public: Type.Optional(Text),
})

export const QuoteOffer = Type.Object({
  evidence_class: Type.Literal('certification'),
  evidence_type: Type.Literal('tpm_quote'),
  capabilities: Type.Object({
    signature_schemes: Names,
    hash_algorithms: Names,
    available_subjects: Subjects,
    certification_keys: Type.Array(CertificationKey, { minItems: 1, maxItems: 16 }),
    component_version: Type.Optional(Text),
    evidence_version: Type.Optional(Text),
  }),
})

export const LogOffer = Type.Object({
  evidence_class: Type.Literal('log'),
  evidence_type: Type.Enum(['ima_log', 'uefi_log']),
  capabilities: Type.Object({
    entry_count: Type.Optional(Type.Integer({ minimum: 0 })),
    supports_partial_access: Type.Optional(Type.Boolean()),
    appendable: Type.Optional(Type.Boolean()),
    formats: Type.Optional(Names),
    component_version: Type.Optional(Text),
    evidence_version: Type.Optional(Text),
  }),
})

/** What every offer has; the rest is read by its type. */
const Offer = Type.Object({
  evidence_class: Text,
  evidence_type: Type.Enum(['tpm_quote', 'ima_log', 'uefi_log']),
  capabilities: Type.Record(Type.String(), Type.Unknown()),
})

/** POST /v3/agents/{agent_id}/attestations (interface document, "Verifier, push model"). */
export const CapabilitiesRequest = Type.Object({
  data: Type.Object({
    type: Type.Literal('attestation'),
    attributes: Type.Object({
      evidence_supported: Type.Array(Offer, { minItems: 1, maxItems: 32 }),
      system_info: Type.Object({ boot_time: Type.Optional(Text) }),
    }),
  }),
})

const Collected = Type.Object({
  evidence_class: Text,
  evidence_type: Text,
  data: Type.Record(Type.String(), Type.Unknown()),
})

/** PATCH /v3/agents/{agent_id}/attestations/{index} */
export const EvidenceRequest = Type.Object({
  data: Type.Object({
    type: Type.Literal('attestation'),
    attributes: Type.Object({
      evidence_collected: Type.Array(Collected, { minItems: 1, maxItems: 32 }),
    }),
  }),
})

export const QuoteData = Type.Object({
  subject_data: Type.Union([
    Type.String({ maxLength: 4096 }),
    Type.Record(Type.String(), Type.String()),
  ]),
  message: Type.String({ maxLength: 8192 }),
  signature: Type.String({ maxLength: 8192 }),
})

export const LogData = Type.Object({
  entry_count: Type.Optional(Type.Integer({ minimum: 0 })),
  entries: Type.String(),
})

export type QuoteOffer = Static<typeof QuoteOffer>
export type LogOffer = Static<typeof LogOffer>
export type Offer = Static<typeof Offer>
export type EvidenceOffer = QuoteOffer | LogOffer
export type CertificationKey = Static<typeof CertificationKey>
export type CapabilitiesRequest = Static<typeof CapabilitiesRequest>
export type EvidenceRequest = Static<typeof EvidenceRequest>
export type QuoteData = Static<typeof QuoteData>
export type LogData = Static<typeof LogData>
