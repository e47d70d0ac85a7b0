import { toHex } from '../../../simulator/tpm/write.ts'
import type { Meaning, Meanings } from '../read-fields.ts'
import { algorithm, bytes, number } from '../show.ts'

const SIZE: Meaning = { means: 'length of the next field', show: (raw) => bytes(number(raw)) }
const start = (raw: Uint8Array): string =>
  raw.length === 0 ? 'empty' : `${toHex(raw.subarray(0, 4))}…`
const named = (raw: Uint8Array): string => algorithm(Number(number(raw)))

/** TPMT_SIGNATURE (Part 2, 11.3.4). */
export const SIGNATURE_MEANINGS: Meanings = {
  sigAlg: { means: 'how the signature was made', show: named },
  hash: { means: 'the hash of the statement that was signed', show: named },
  'sig.size': SIZE,
  sig: { means: 'the signature itself, one large number', show: start },
  'signatureR.size': SIZE,
  signatureR: { means: 'first half of the signature', show: start },
  'signatureS.size': SIZE,
  signatureS: { means: 'second half of the signature', show: start },
  bytes: { means: 'not read here: the scheme is not known', show: (raw) => bytes(raw.length) },
  leftover: { means: 'after the end: nothing accounts for it', show: (raw) => bytes(raw.length) },
}
