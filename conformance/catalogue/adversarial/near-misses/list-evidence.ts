import { writeAsciiList } from '../../../../simulator/ima/ascii.ts'
import type { ImaEntry } from '../../../../simulator/ima/list.ts'
import { imaEntry } from '../../../../simulator/ima/make-entry.ts'
import { extendValues } from '../../../../simulator/ima/template.ts'
import { eccAttester } from '../../../../simulator/machine/soft-attester.ts'
import { type RuntimePolicy, runtimePolicyOf } from '../../../../simulator/platform/boot-facts.ts'
import { type Bank, digest, HASHES } from '../../../../simulator/tpm/hash.ts'
import { cat, filled, text } from '../../../../simulator/tpm/write.ts'
import {
  contentOf,
  IMA_PCR,
  measuredPcr,
  ran,
} from '../../../../simulator/vectors/ima/list-evidence.ts'
import type { BankValues } from '../../../../simulator/vectors/quote/attest-overrides.ts'
import { base64, softQuote } from '../../../../simulator/vectors/quote/soft-quote.ts'
import type { Members } from './near-miss.ts'

const attester = eccAttester('near misses')

export const [AGGREGATE, FIRST, SECOND, THIRD] = [
  ran('boot_aggregate'),
  ran('/usr/bin/first'),
  ran('/usr/bin/second', 'ima-sig'),
  ran('/usr/bin/third'),
]

/** The list of most near misses. */
export const FILES: readonly ImaEntry[] = [AGGREGATE, FIRST, SECOND, THIRD]

/** A file with any path and content. */
export function file(path: string, digest = contentOf(path), template = 'ima-ng'): ImaEntry {
  return imaEntry(template, { path, digest })
}

/** Files whose paths have this start and a number. */
export function many(count: number, start = '/usr/lib/'): readonly ImaEntry[] {
  return Array.from({ length: count }, (_, at) => ran(`${start}${at}`))
}

/** An entry whose template hash begins with two bytes of zeros and ends in one; that of a violation is all zeros. */
export const ZEROS_AROUND = file('/usr/bin/zeros', digest('sha256', text('content 3583434')))

/** What differs from a machine that sends its list with a policy of exactly its files. */
interface ListOptions {
  /** Entries whose files the policy lists; default all. */
  readonly listed?: readonly ImaEntry[]
  readonly policy?: Partial<RuntimePolicy>
  /** PCR 10; default that of the list. */
  readonly pcr10?: Uint8Array
  /** The list as it is sent. */
  readonly sent?: Uint8Array
  /** Banks to quote in place of PCR 10 of SHA-256. */
  readonly banks?: readonly BankValues[]
}

/** Returns PCR 10 of a bank after a kernel has measured these entries. */
export function pcr10Of(bank: Bank, entries: readonly ImaEntry[]): BankValues {
  const extend = (value: Uint8Array, entry: ImaEntry) =>
    digest(bank, cat(value, extendValues(entry)[bank]))
  return { bank, values: new Map([[IMA_PCR, entries.reduce(extend, filled(HASHES[bank].size))]]) }
}

/** Returns evidence of a machine that measured these entries. */
export function measured(
  entries: readonly ImaEntry[],
  { listed = entries, policy, pcr10 = measuredPcr(entries), sent, banks }: ListOptions = {},
): Members {
  const one = { bank: 'sha256', values: new Map([[IMA_PCR, pcr10]]) } as const
  const { tpm_policy: _, ...evidence } = softQuote(attester, banks ?? [one]).evidence
  const list = base64(sent ?? writeAsciiList(entries))
  return {
    ...evidence,
    hash_alg: 'sha256',
    runtime_policy: { ...runtimePolicyOf(listed), ...policy },
    ima: { format: 'ascii', entries: list, starting_offset: 0 },
  }
}
