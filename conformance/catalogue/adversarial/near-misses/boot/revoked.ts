import type { EditEvents } from '../../../../../simulator/platform/scripted-boot.ts'
import { cat, filled } from '../../../../../simulator/tpm/write.ts'
import type { BootPolicy } from '../../../../../simulator/uefi/boot-policy-of.ts'
import { GUIDS } from '../../../../../simulator/uefi/guid.ts'
import { OWNER } from '../../../../../simulator/uefi/profiles/secure-boot-keys.ts'
import { readVariable } from '../../../../../simulator/uefi/read-data.ts'
import type { NearMiss } from '../near-miss.ts'
import { booted, config, listsOf, replaced, strange, variableAs } from './evidence.ts'
import { OF_VENDOR, signatureOf } from './vendor.ts'

const ROW = 'VER-EVIDENCE-BOOT-JUDGES'

/** Changes the content of dbx. */
function dbx(change: (data: Uint8Array) => Uint8Array): EditEvents {
  return replaced(config('dbx'), (one) => [
    variableAs(one, { data: change(readVariable(one.data).data) }),
  ])
}

/** A policy that wants these signatures revoked too. */
function wanting(signatures: NonNullable<BootPolicy['dbx']>) {
  return (one: BootPolicy): BootPolicy => ({ ...one, dbx: [...(one.dbx ?? []), ...signatures] })
}

/** Kinds of hashes that may be revoked (UEFI 32.4.1), and the bytes of one: of images and of certificates. */
const KINDS: readonly (readonly [kind: string, size: number])[] = [
  ['826ca512-cf10-4ac9-b187-be01496631bd', 20],
  ['0b6e5233-a65c-44c9-9407-d9ab83bfc8bd', 28],
  ['ff3e5307-9fd0-48c9-85f1-8ad56c701e01', 48],
  ['093e0fae-a6c4-4f50-9f1b-d41e2b89c19a', 64],
  ['3bd2a492-96c0-4079-b420-fcf98ef103ed', 48],
  ['7076876e-80c2-4ee6-aad2-28b349a6865b', 64],
  ['446dbf63-2502-4cda-bcfa-2465d2b0fe9d', 80],
]
const hashOf = (size: number, at: number) => filled(size, at + 1)

export const REVOKED_KINDS: readonly NearMiss[] = [
  {
    sends: 'dbx with a certificate of the policy',
    evidence: () =>
      booted({
        events: dbx((data) => cat(data, listsOf([strange], GUIDS.certX509))),
        policy: wanting(OF_VENDOR),
      }),
  },
  {
    sends: 'dbx without a certificate of the policy',
    breaks: ROW,
    evidence: () => booted({ policy: wanting(OF_VENDOR) }),
  },
  {
    sends: 'dbx with a hash of every kind',
    evidence: () =>
      booted({
        events: dbx((data) =>
          cat(
            data,
            ...KINDS.map(([type, size], at) =>
              listsOf([{ owner: OWNER, data: hashOf(size, at) }], type),
            ),
          ),
        ),
        policy: wanting(KINDS.map(([, size], at) => signatureOf(OWNER, hashOf(size, at)))),
      }),
  },
]
