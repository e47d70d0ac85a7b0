import { parseAttest, type TPMS_ATTEST } from '../../simulator/tpm/attest.ts'
import { parsePcrBlob } from '../../simulator/tpm/pcr-blob.ts'
import type { TPMS_PCR_SELECTION } from '../../simulator/tpm/pcr-selection.ts'
import { parseSignature, type TPMT_SIGNATURE } from '../../simulator/tpm/signature.ts'
import { unbase64 } from '../client/bytes.ts'

/** A quote in the form of the pull model; unreadable parts are undefined. */
export interface ReadQuote {
  /** The colon-separated parts after the `r`. */
  readonly parts: readonly string[]
  /** The decoded first part: the signed bytes. */
  readonly message: Uint8Array
  readonly attest: TPMS_ATTEST | undefined
  readonly signature: TPMT_SIGNATURE | undefined
  readonly pcrs: ReadPcrs | undefined
}

interface ReadPcrs {
  readonly selections: readonly TPMS_PCR_SELECTION[]
  readonly values: readonly Uint8Array[]
  readonly leftover: Uint8Array
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

export function isBase64(text: string): boolean {
  return text !== '' && BASE64.test(text)
}

/** Parses a quote without checks; parts that cannot be parsed are undefined. */
export function readQuote(text: string): ReadQuote {
  const parts = text.replace(/^r/, '').split(':')
  const [message = '', signature = '', pcrs = ''] = parts
  const bytes = unbase64(message)
  return {
    parts,
    message: bytes,
    attest: attempt(() => parseAttest(bytes)),
    signature: attempt(() => parseSignature(unbase64(signature))),
    pcrs: attempt(() => parsePcrBlob(unbase64(pcrs))),
  }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
