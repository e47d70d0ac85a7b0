import Type, { type Static } from 'typebox'

const CLOSED = { additionalProperties: false }
const Base64 = Type.String({ minLength: 1, maxLength: 8192 })
const Coordinate = Type.String({ minLength: 1, maxLength: 256, pattern: '^[A-Za-z0-9_-]+$' })

/**
 * POST …/verify/evidence with evidence of a trusted execution environment, in upstream's form. No member may come that is
 * not evaluated. The members of `evidence` depend on `tee`.
 */
export const TeeEvidenceRequest = Type.Object(
  {
    type: Type.Literal('tee'),
    data: Type.Object(
      {
        nonce: Type.String({ minLength: 1, maxLength: 256 }),
        /** Coordinates of the guest's public key, base64url without padding. */
        'tee-pubkey-x-b64': Coordinate,
        'tee-pubkey-y-b64': Coordinate,
        'tee-evidence': Type.Object(
          { tee: Type.String({ minLength: 1, maxLength: 32 }), evidence: Type.Unknown() },
          CLOSED,
        ),
      },
      CLOSED,
    ),
  },
  CLOSED,
)
export type TeeEvidence = Static<typeof TeeEvidenceRequest>['data']

/** `evidence` of `tee` `snp`; upstream does not know `snp-vcek`, and asks AMD for the certificate. */
export const SnpEvidence = Type.Object(
  {
    'snp-report': Base64,
    /** The VCEK certificate, DER; the store may have it too. */
    'snp-vcek': Type.Optional(Base64),
  },
  CLOSED,
)
export type SnpEvidence = Static<typeof SnpEvidence>
