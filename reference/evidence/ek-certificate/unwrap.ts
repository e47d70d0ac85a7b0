import { derElementAt } from '../../bytes/der.ts'
import { WireError } from '../../bytes/wire-error.ts'
import type { Workaround } from './workarounds.ts'

/** TCG_PCCLIENT_STORED_CERT of a full certificate: tag, type, length, and the tag TCG_FULL_CERT. */
const HEADER = 7
const STORED_CERT = 0x10_01
const FULL_CERT = 0x10_02
const CERTIFICATE_PATH = 'Certificate'

/** A certificate and its position in the input. */
interface Unwrapped {
  /** The certificate, to its last byte. */
  readonly der: Uint8Array
  /** Its offset in the input. */
  readonly at: number
  readonly workarounds: readonly Workaround[]
}

/**
 * Finds the certificate in the contents of an NV index: a header of TPM 1.2 tools may precede it, zeros or 0xff
 * after it.
 *
 * @throws {WireError} where there is no such certificate, or something else follows
 */
export function unwrapCertificate(bytes: Uint8Array): Unwrapped {
  const at = headerOf(bytes)
  const { end } = derElementAt(bytes, at, bytes.length, CERTIFICATE_PATH)
  checkRest(bytes, end)
  return {
    der: bytes.subarray(at, end),
    at,
    workarounds: [
      ...(at === 0 ? [] : [{ id: 'nv-header', at: 0 } as const]),
      ...(end === bytes.length ? [] : [{ id: 'nv-padding', at: end } as const]),
    ],
  }
}

/** Length of the header; its length field is ignored, as the certificate has its own. */
function headerOf(bytes: Uint8Array): number {
  const u16 = (at: number) => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
  return u16(0) === STORED_CERT && u16(HEADER - 2) === FULL_CERT ? HEADER : 0
}

function checkRest(bytes: Uint8Array, end: number): void {
  const filler = bytes[end]
  for (let at = end; at < bytes.length; at++)
    if ((filler !== 0 && filler !== 0xff) || bytes[at] !== filler)
      throw new WireError(
        CERTIFICATE_PATH,
        at,
        `${bytes.length - at} byte(s) follow the certificate`,
      )
}
