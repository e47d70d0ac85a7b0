import type { PullMachine } from '../machine/pull-machine.ts'
import type { Quote } from '../platform/quote-pcrs.ts'
import { type Bank, digest } from '../tpm/hash.ts'

/** The host of a machine whose TPM is virtual; with it the answer to `vmask` is a deep quote (docs/deep-quotes.md). */
export interface PullHost {
  readonly machine: Pick<PullMachine, 'quote'>
  /** extraData of its quote, from the machine's TPMS_ATTEST; default: its SHA-256. */
  readonly binding?: (message: Uint8Array) => Uint8Array
  /** Answers every poll with a deep quote, also one without `vmask`. */
  readonly always?: boolean
}

/** The PCRs of a poll; those of the host are undefined for an ordinary quote. */
export interface PolledMasks {
  readonly pcrs: readonly number[]
  readonly hostPcrs?: readonly number[]
}

/** `vmask` selects the PCRs of a virtual TPM, and `mask` those of its host. */
export function masksOf(
  query: Readonly<Record<string, string>>,
  host: PullHost | undefined,
  pcrsOfMask: (mask: string) => readonly number[],
): PolledMasks {
  const pcrs = pcrsOfMask(query['mask'] ?? '')
  const { vmask } = query
  if (host === undefined || (vmask === undefined && host.always !== true)) return { pcrs }
  return { pcrs: vmask === undefined ? pcrs : pcrsOfMask(vmask), hostPcrs: pcrs }
}

/** The quote of a host that goes with a quote of its guest. */
export function quoteOfHost(
  { machine, binding = (message) => digest('sha256', message) }: PullHost,
  { message }: Quote,
  selected: { readonly pcrs: readonly number[]; readonly bank: Bank },
): Promise<Quote> {
  return machine.quote({ qualifyingData: binding(message), ...selected })
}
