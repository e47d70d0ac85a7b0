import { parseAttest, type TPMS_ATTEST } from '../../../simulator/tpm/attest.ts'
import { Cursor } from '../../../simulator/tpm/cursor.ts'
import { type Bank, bankOf, HASHES } from '../../../simulator/tpm/hash.ts'
import { parsePcrBlob } from '../../../simulator/tpm/pcr-blob.ts'
import { presentPcrSelections } from '../../../simulator/tpm/pcr-selection.ts'
import { readPublic, type TPMT_PUBLIC } from '../../../simulator/tpm/public.ts'
import { parseSignature, type TPMT_SIGNATURE } from '../../../simulator/tpm/signature.ts'
import type { Claim } from './claim.ts'
import { type BootReading, readBoot } from './read-boot.ts'
import { type ListReading, readList } from './read-list.ts'

type Blob = ReturnType<typeof parsePcrBlob>

/** A claim with what its parts say; undefined where a part cannot be read to its end. */
export interface Reading {
  readonly claim: Claim
  readonly attest?: TPMS_ATTEST
  readonly signature?: TPMT_SIGNATURE
  readonly key?: TPMT_PUBLIC
  readonly blob?: Blob
  readonly list?: ListReading
  readonly boot?: BootReading
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

/** A structure that leaves bytes over has not been read to its end. */
function whole<T extends { readonly leftover: Uint8Array }>(value: T): T {
  if (value.leftover.length > 0) throw new RangeError('bytes are left over')
  return value
}

function wholeSignature(bytes: Uint8Array): TPMT_SIGNATURE {
  const signature = parseSignature(bytes)
  if (signature.kind === 'opaque') throw new RangeError('the algorithm is not known')
  return whole(signature)
}

/** Reads a TPM2B_PUBLIC to its last byte. Throws when it does not end where it says. */
export function wholeKey(bytes: Uint8Array): TPMT_PUBLIC {
  const outer = new Cursor(bytes, 'TPM2B_PUBLIC')
  const inner = new Cursor(outer.tpm2b(), 'TPMT_PUBLIC')
  const key = readPublic(inner)
  if (outer.left > 0 || inner.left > 0) throw new RangeError('bytes are left over')
  return key
}

/** One value of its bank's length for each selected PCR, each bank once. */
function wholeBlob(bytes: Uint8Array): Blob {
  const blob = whole(parsePcrBlob(bytes))
  const sizes = blob.selections.flatMap(({ hash, pcrs }) => pcrs.map(() => sizeOf(hash)))
  const fits = sizes.length === blob.values.length
  if (!fits || blob.values.some((value, at) => value.length !== sizes[at]))
    throw new RangeError('values and selection do not agree')
  return blob
}

function sizeOf(hash: number): number | undefined {
  const bank = bankOf(hash)
  return bank === undefined ? undefined : HASHES[bank].size
}

/** The logs, as far as PCRs are claimed that could prove them. */
function readLogs(
  { list, bootLog }: Claim,
  blob: Blob | undefined,
): Pick<Reading, 'list' | 'boot'> {
  const quoted = (pcr: number) => (blob === undefined ? undefined : pcrValue(blob, pcr, 'sha256'))
  return {
    ...(list !== undefined && list.text.length > 0 && { list: readList(list, quoted(10)) }),
    ...(bootLog !== undefined && blob !== undefined && { boot: readBoot(bootLog, quoted) }),
  }
}

export function readClaim(claim: Claim): Reading {
  const attest = attempt(() => whole(parseAttest(claim.message)))
  const signature = attempt(() => wholeSignature(claim.signature))
  const key = attempt(() => wholeKey(claim.key))
  const blob = attempt(() => wholeBlob(claim.pcrs))
  const parts = {
    ...(attest === undefined ? {} : { attest }),
    ...(signature === undefined ? {} : { signature }),
    ...(key === undefined ? {} : { key }),
    ...(blob === undefined ? {} : { blob }),
  }
  return { claim, ...parts, ...readLogs(claim, blob) }
}

/** The claimed value of one PCR in one bank. */
export function pcrValue(
  { selections, values }: Blob,
  pcr: number,
  bank: string,
): Uint8Array | undefined {
  const slots = selections.flatMap(({ hash, pcrs }) => pcrs.map((each) => ({ hash, pcr: each })))
  const at = slots.findIndex((slot) => slot.pcr === pcr && bankOf(slot.hash) === bank)
  return values[at]
}

/** Selections in words, banks without PCRs left out: equal texts select the same. */
export function selectionText(selections: Blob['selections']): string {
  return presentPcrSelections(selections.filter(({ pcrs }) => pcrs.length > 0))
}

/** The banks of which a selection has PCRs. */
export function banksOf(selections: Blob['selections']): readonly (Bank | undefined)[] {
  return selections.filter(({ pcrs }) => pcrs.length > 0).map(({ hash }) => bankOf(hash))
}
