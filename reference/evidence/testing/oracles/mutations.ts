import { concat } from '../../../bytes/writer.ts'
import { flipped } from '../../../tpm/testing/recorded-boot.ts'

/** A name and the byte of a structure that is changed for it. */
type Places = Readonly<Record<string, number>>

/** A change of a byte string. */
export interface Mutation {
  readonly name: string
  change(bytes: Uint8Array): Uint8Array
}

const ENDS: readonly Mutation[] = [
  { name: 'unchanged', change: (bytes) => bytes },
  { name: 'a byte more', change: (bytes) => concat(bytes, Uint8Array.of(0)) },
  { name: 'a byte less', change: (bytes) => bytes.subarray(0, -1) },
  { name: 'half of it', change: (bytes) => bytes.subarray(0, bytes.length >> 1) },
  { name: 'nothing', change: () => new Uint8Array() },
]

function flips(places: Places): readonly Mutation[] {
  return Object.entries(places).map(([name, at]) => ({
    name: `a bit of ${name}`,
    change: (bytes) => flipped(bytes, at < 0 ? bytes.length + at : at),
  }))
}

/** Changes of a TPMS_ATTEST of one bank, with 20 bytes of extraData. */
export const MESSAGE_CHANGES: readonly Mutation[] = [
  ...ENDS,
  ...flips({
    magic: 3,
    type: 5,
    'the size of qualifiedSigner': 7,
    qualifiedSigner: 20,
    'the size of extraData': 43,
    extraData: 50,
    clock: 70,
    resetCount: 75,
    restartCount: 79,
    safe: 80,
    firmwareVersion: 85,
    'the count of selections': 92,
    'the bank': 94,
    sizeofSelect: 95,
    'the bitmap': 97,
    'the size of pcrDigest': 100,
    pcrDigest: 120,
  }),
]

/** Changes of a TPMT_SIGNATURE. */
export const SIGNATURE_CHANGES: readonly Mutation[] = [
  ...ENDS,
  ...flips({ sigAlg: 1, hash: 3, 'the size': 5, 'the first byte': 6, 'the last byte': -1 }),
]

/** Changes of a PCR blob of one bank. */
export const BLOB_CHANGES: readonly Mutation[] = [
  ...ENDS,
  ...flips({
    'the count of banks': 0,
    'the bank': 4,
    sizeofSelect: 6,
    'the bitmap': 8,
    'the fourth byte of the bitmap': 10,
    'the padding of a bank': 11,
    'an unused bank': 30,
    'the count of lists': 132,
    'the count of digests': 136,
    'the size of a digest': 140,
    'a digest': 150,
    'the padding of a digest': 200,
    'an unused digest': 600,
  }),
]
