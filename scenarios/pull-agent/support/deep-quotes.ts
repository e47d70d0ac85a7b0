import type { Machine } from '../../../simulator/machine/machine.ts'
import { compareQuote, readQuote, sha256 } from './engine.ts'

interface Known {
  readonly machine: Pick<Machine, 'tpm'>
  readonly attestationKey: string
}

/** What a deep quote says, the guest first (docs/deep-quotes.md). */
interface ReadDeepQuote {
  readonly signed: readonly boolean[]
  /** The form of the nonce in the guest's quote. */
  readonly nonce: string
  /** extraData of the guest's quote. */
  readonly extraData: Uint8Array
  /** Whether extraData of the host's quote is the digest of the guest's TPMS_ATTEST. */
  readonly isBound: boolean
  readonly pcrs: readonly (readonly number[])[]
  /** PCRs that a machine does not hold. */
  readonly untrue: readonly (readonly number[])[]
}

/** Reads a deep quote, and compares both of its quotes with their machines and registered keys. */
export async function readDeepQuote(
  text: string,
  nonce: string,
  known: { readonly guest: Known; readonly host: Known },
): Promise<ReadDeepQuote> {
  const parts = text.startsWith('d') ? text.slice(1).split(':') : []
  const isDeep = parts.length === 6
  const own = readQuote(`r${isDeep ? parts.slice(0, 3).join(':') : ''}`)
  const below = readQuote(`r${isDeep ? parts.slice(3).join(':') : ''}`)
  const guest = await compareQuote(own, { ...known.guest, nonce })
  const host = await compareQuote(below, { ...known.host, nonce: '' })
  const bound = below.attest?.extraData ?? new Uint8Array()
  return {
    signed: [guest.signed && guest.fits, host.signed && host.fits],
    nonce: guest.nonce,
    extraData: own.attest?.extraData ?? new Uint8Array(),
    isBound: isDeep && sameBytes(bound, sha256(own.message)),
    pcrs: [guest.pcrs, host.pcrs],
    untrue: [guest.untrue, host.untrue],
  }
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one).equals(Buffer.from(other))
}
