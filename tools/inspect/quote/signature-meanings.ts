import { toHex } from '../../../simulator/tpm/write.ts'
import type { Meaning, Meanings } from '../read-fields.ts'
import { algorithm, bytes, number } from '../show.ts'

const SIZE: Meaning = { means: 'length of the next field', show: (raw) => bytes(number(raw)) }
const start = (raw: Uint8Array): string =>
  raw.length === 0 ? 'empty' : `${toHex(raw.subarray(0, 4))}…`
const named = (raw: Uint8Array): string => algorithm(Number(number(raw)))

/** TPMT_SIGNATURE (Part 2, 11.3.4). */
export const SIGNATURE_MEANINGS: Meanings = {
  sigAlg: { means: 'signature scheme', show: named },
  hash: { means: 'hash algorithm of the signature', show: named },
  'sig.size': SIZE,
  sig: { means: 'the RSA signature, one large number', show: start },
  'signatureR.size': SIZE,
  signatureR: { means: 'first half of the signature (r)', show: start },
  'signatureS.size': SIZE,
  signatureS: { means: 'second half of the signature (s)', show: start },
  bytes: { means: 'not decoded: the scheme is unknown', show: (raw) => bytes(raw.length) },
  leftover: { means: 'bytes after the end of the structure', show: (raw) => bytes(raw.length) },
}
