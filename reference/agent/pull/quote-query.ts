import type { Call } from '../../api/call.ts'
import { ApiError } from '../../errors.ts'
import { NODE_KEY_PCR } from '../attester/quote-pcrs.ts'
import { checkText, type TextCheck } from './nonce-checks.ts'

/** A query parameter that may be left out, but not given twice. */
export function optionalParameter(call: Call, name: string): string | undefined {
  const value = Object.hasOwn(call.query, name) ? call.query[name] : undefined
  if (value === undefined || typeof value === 'string') return value
  throw new ApiError('malformed_request', `query parameter ${name} is given more than once`)
}

export function readNonce(
  call: Call,
  { nonceChecks }: { readonly nonceChecks: readonly TextCheck[] },
): Uint8Array {
  const nonce = optionalParameter(call, 'nonce')
  if (nonce === undefined)
    throw new ApiError('malformed_request', 'query parameter nonce is missing')
  return new TextEncoder().encode(checkText('nonce', nonce, nonceChecks))
}

/** PCRs of a mask, ascending: hexadecimal, with or without `0x`, of the 24 that a TPM of a PC has. */
export function pcrsOfMask(name: string, mask: string): readonly number[] {
  if (!/^(0x)?[0-9a-fA-F]{1,8}$/.test(mask))
    throw new ApiError(
      'malformed_request',
      `query parameter ${name} is not a number of 32 bits in hexadecimal`,
    )
  const bits = Number.parseInt(mask, 16)
  const pcrs = Array.from({ length: 32 }, (_, pcr) => pcr).filter((pcr) => (bits >>> pcr) & 1)
  const unknown = pcrs.find((pcr) => pcr > 23)
  if (unknown === undefined) return pcrs
  throw new ApiError('malformed_request', `query parameter ${name} names PCR ${unknown} of 0 to 23`)
}

/** PCR 16 is in every quote, whether the mask names it or not (ambiguity MASK16). */
export function withNodeKey(pcrs: readonly number[]): readonly number[] {
  return [...new Set([...pcrs, NODE_KEY_PCR])].sort((one, other) => one - other)
}

const PARTIAL: ReadonlyMap<string, boolean> = new Map([
  ['0', false],
  ['1', true],
])

export function readPartial(call: Call): boolean {
  const partial = PARTIAL.get(optionalParameter(call, 'partial') ?? '')
  if (partial !== undefined) return partial
  throw new ApiError('malformed_request', 'query parameter partial must be 0 or 1')
}

/** The first line of the measurement list to send; by default the first of all. */
export function readEntry(call: Call): number {
  const entry = optionalParameter(call, 'ima_ml_entry') ?? '0'
  if (/^\d{1,15}$/.test(entry)) return Number(entry)
  throw new ApiError('malformed_request', 'query parameter ima_ml_entry is not a line number')
}
