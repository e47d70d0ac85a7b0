import { type IdentityDefect, TPM_ST } from './engine.ts'

const [IS_QUOTE, VALUES] = ['VER-IDENTITY-IS-QUOTE', 'VER-IDENTITY-PCR-DIGEST']
const ZERO = new Uint8Array(1)

type Mutate = NonNullable<IdentityDefect['attest']>

const TYPES = ['NV', 'COMMAND_AUDIT', 'SESSION_AUDIT', 'CERTIFY', 'TIME', 'CREATION'] as const

/** The same digest of PCR values, signed as that of other PCRs. */
function ofPcrs(pcrs: readonly number[]): Mutate {
  return ({ attested, ...one }) => {
    if (attested.kind !== 'quote') return { ...one, attested }
    const pcrSelect = attested.pcrSelect.map((bank) => ({ ...bank, pcrs }))
    return { ...one, attested: { ...attested, pcrSelect } }
  }
}

/** What the key of an agent signs to open a session. */
const asProof: Mutate = ({ qualifiedSigner: name, ...one }) => ({
  ...one,
  ...{ qualifiedSigner: name, type: TPM_ST.ATTEST_CERTIFY },
  attested: { kind: 'certify', name, qualifiedName: name },
})

/** Structures that are almost a quote over the nonce, signed by the key of the agent: the requirement, and what differs. */
export const NEAR_QUOTES: readonly (readonly [
  requirement: string,
  says: string,
  defect: IdentityDefect,
])[] = [
  ...TYPES.map((name) => {
    const type = TPM_ST[`ATTEST_${name}`]
    const defect: IdentityDefect = { attest: (one) => ({ ...one, type }) }
    return [IS_QUOTE, `of the type ${name}`, defect] as const
  }),
  [IS_QUOTE, 'that is the proof of a session', { attest: asProof }],
  [IS_QUOTE, 'with half of the magic', { attest: (one) => ({ ...one, magic: 0xff540000 }) }],
  [IS_QUOTE, 'with the other half', { attest: (one) => ({ ...one, magic: 0x00004347 }) }],
  [IS_QUOTE, 'with a byte behind it', { attest: (one) => ({ ...one, leftover: ZERO }) }],
  [VALUES, 'that selects another PCR than that of the value', { attest: ofPcrs([11]) }],
  [VALUES, 'that selects one PCR more', { attest: ofPcrs([10, 23]) }],
  [VALUES, 'that selects no PCR', { attest: ofPcrs([]) }],
  [IS_QUOTE, 'with a byte behind its signature', { signature: (one) => Uint8Array.of(...one, 0) }],
]
