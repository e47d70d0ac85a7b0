import type { SoftDeviceDefect } from '../../../conformance/client/agents/soft-device.ts'
import type { TPMS_ATTEST } from '../../../simulator/tpm/attest.ts'
import { TPM_ST } from '../../../simulator/tpm/constants.ts'
import { digest } from '../../../simulator/tpm/hash.ts'
import { cat, filled, text, tpm2b, u8, u16, u64 } from '../../../simulator/tpm/write.ts'

/** A device whose certification of its AIK differs from the right one in one place. */
interface NearCertification {
  readonly says: string
  readonly defect: SoftDeviceDefect
}

/** The structures that an IAK signs besides a certification, each for the Name of the AIK where it has one. */
const OTHER_TYPES: readonly (readonly [string, number, (name: Uint8Array) => Uint8Array])[] = [
  ['NV', TPM_ST.ATTEST_NV, (name) => cat(tpm2b(name), u16(0), tpm2b(name))],
  [
    'command audit',
    TPM_ST.ATTEST_COMMAND_AUDIT,
    (name) => cat(u64(1n), u16(0x000b), tpm2b(name), tpm2b(name)),
  ],
  ['session audit', TPM_ST.ATTEST_SESSION_AUDIT, (name) => cat(u8(1), tpm2b(name))],
  ['creation', TPM_ST.ATTEST_CREATION, (name) => cat(tpm2b(name), tpm2b(filled(32)))],
  ['NV digest', TPM_ST.ATTEST_NV_DIGEST, (name) => cat(tpm2b(name), tpm2b(filled(32)))],
]

/** `magic` of TPM_GENERATED_VALUE is 0xff544347. */
const MAGICS = [0, 0x00004347, 0x00544347, 0xff544348]

type Change = (bytes: Uint8Array) => Uint8Array

const cut =
  (size: number): Change =>
  (bytes) =>
    bytes.subarray(0, size)
const flipped =
  (at: number): Change =>
  (bytes) =>
    bytes.with(at, (bytes.at(at) ?? 0) ^ 1)
const upper: Change = (id) => text(new TextDecoder().decode(id).toUpperCase())

const AGENTS: readonly (readonly [string, Change])[] = [
  ['no agent', cut(0)],
  ['the first eight characters of the id', cut(8)],
  ['the id without its last character', cut(-1)],
  ['an id that begins alike', flipped(-1)],
  ['an id that ends alike', flipped(0)],
  ['the id in upper case', upper],
  ['the id and one more character', (id) => cat(id, text('0'))],
  ['the id after another character', (id) => cat(text('0'), id)],
  ['the SHA-256 of the id in upper case', (id) => digest('sha256', upper(id))],
  ['the first half of the SHA-256 of the id', (id) => digest('sha256', id).subarray(0, 16)],
]

const NAMES: readonly (readonly [string, Change])[] = [
  ['no Name', cut(0)],
  ['a Name that is cut after eight bytes', cut(8)],
  ['a Name with another last byte', flipped(-1)],
  ['a Name with another third byte', flipped(2)],
  ['a Name with another byte in the middle', flipped(17)],
  ['a Name and one more byte', (name) => cat(name, u8(0))],
]

const changed = (says: string, change: (attest: TPMS_ATTEST) => TPMS_ATTEST) => ({
  says,
  defect: { change },
})

function named(change: Change): (attest: TPMS_ATTEST) => TPMS_ATTEST {
  return (attest) => ({
    ...attest,
    attested: { kind: 'certify', name: change(nameIn(attest)), qualifiedName: nameIn(attest) },
  })
}

function nameIn({ attested }: TPMS_ATTEST): Uint8Array {
  return attested.kind === 'certify' ? attested.name : new Uint8Array()
}

/** None of them proves that the AIK is in the TPM of the IAK, for this agent. */
export const nearCertifications: readonly NearCertification[] = [
  ...OTHER_TYPES.map(([says, type, body]) =>
    changed(`an attestation of the type ${says}`, (attest) => {
      const bytes = body(nameIn(attest))
      return { ...attest, type, attested: { kind: 'opaque', bytes } }
    }),
  ),
  ...MAGICS.map((magic) =>
    changed(`the magic 0x${magic.toString(16).padStart(8, '0')}`, (attest) => ({
      ...attest,
      magic,
    })),
  ),
  ...AGENTS.map(([says, change]) =>
    changed(`a certification for ${says}`, (attest) => ({
      ...attest,
      extraData: change(attest.extraData),
    })),
  ),
  ...NAMES.map(([says, change]) => changed(`a certification of ${says}`, named(change))),
  {
    says: 'a certification by the IAK of a device that registered before',
    defect: { signedBy: 'earlier' },
  },
  { says: 'an IAK that signs any data', defect: { unrestricted: true } },
]
