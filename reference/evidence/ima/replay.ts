import { equalBytes } from '../../bytes/equal.ts'
import { type HashAlgorithm, hashByName } from '../../tpm/algorithms.ts'
import { digestOf, extend } from '../../tpm/digest.ts'
import type { VerifiedPcrs } from '../verified-pcrs.ts'
import { type ImaEntry, type ImaItem, isViolation } from './entry.ts'

/** PCR that IMA extends (CONFIG_IMA_MEASURE_PCR_IDX) */
export const IMA_PCR = 10

/** How a kernel makes the value it extends into a bank from an entry. */
export interface ExtendRule {
  readonly id: string
  readonly why: string
  appliesTo(bank: string): boolean
  value(entry: ImaEntry, bank: HashAlgorithm): Uint8Array
}

const SHA1 = hashByName('sha1')

/**
 * Rules in the order in which they are tried; one rule must explain the whole list.
 * The second is confined to the banks where kernels are known to need it: it binds entries by SHA-1 only.
 */
export const extendRules: readonly ExtendRule[] = [
  {
    id: 'template-hash',
    why: 'a kernel that has the hash of the bank extends the hash of the template data',
    appliesTo: () => true,
    value: (entry, bank) => digestOf(bank, entry.data),
  },
  {
    id: 'padded-sha1',
    why: 'a kernel that lacks the hash of the bank at boot extends the SHA-1 padded with zeros',
    appliesTo: (bank) => bank === 'sha384' || bank === 'sha512',
    value: (entry, bank) => {
      const padded = new Uint8Array(bank.size)
      if (SHA1) padded.set(digestOf(SHA1, entry.data))
      return padded
    },
  },
]

/** Replay of a list against one bank. */
export interface BankReplay {
  readonly bank: string
  /** set when the quoted value was met: the rule, and how much of the list it covers */
  readonly match?: { readonly rule: string; readonly items: number; readonly value: Uint8Array }
  /** value after the whole list by the first rule, for the report of a mismatch */
  readonly reached: Uint8Array
  readonly quoted: Uint8Array
}

/** What replay starts from: bank -> value of PCR 10 before the first entry. */
export type ReplayStart = (bank: HashAlgorithm) => Uint8Array | undefined

/** PCR 10 after a reset. */
export const fromReset: ReplayStart = (bank) => new Uint8Array(bank.size)

/**
 * Replays a list against PCR 10 of every proven bank.
 *
 * The quoted value must be met before the first entry or after any one: the list may run ahead of the quote.
 * A violation extends ones. An item that cannot be read extends nothing, so that a list with one that was measured
 * does not match.
 */
export function replayIma(
  items: readonly ImaItem[],
  verified: VerifiedPcrs,
  start: ReplayStart = fromReset,
  rules: readonly ExtendRule[] = extendRules,
): readonly BankReplay[] {
  return [...verified].flatMap(([name, values]) => {
    const quoted = values.get(IMA_PCR)
    const bank = hashByName(name)
    return quoted && bank ? [replayBank(items, bank, quoted, start(bank), rules)] : []
  })
}

function replayBank(
  items: readonly ImaItem[],
  bank: HashAlgorithm,
  quoted: Uint8Array,
  start: Uint8Array | undefined,
  rules: readonly ExtendRule[],
): BankReplay {
  const replays = rules
    .filter((rule) => start && bank.digest && rule.appliesTo(bank.name))
    .map((rule) => replayByRule(items, bank, quoted, start ?? new Uint8Array(), rule))
  const match = replays.find((replay) => replay.match)
  return match ?? replays[0] ?? { bank: bank.name, reached: start ?? new Uint8Array(), quoted }
}

function replayByRule(
  items: readonly ImaItem[],
  bank: HashAlgorithm,
  quoted: Uint8Array,
  start: Uint8Array,
  rule: ExtendRule,
): BankReplay {
  const ones = new Uint8Array(bank.size).fill(0xff)
  let value = start
  for (const [index, item] of items.entries()) {
    if (equalBytes(value, quoted)) return matched(bank, rule, index, value)
    if (item.kind !== 'entry' || item.pcr !== IMA_PCR) continue
    value = extend(bank, value, isViolation(item) ? ones : rule.value(item, bank))
  }
  if (equalBytes(value, quoted)) return matched(bank, rule, items.length, value)
  return { bank: bank.name, reached: value, quoted }
}

function matched(
  bank: HashAlgorithm,
  rule: ExtendRule,
  items: number,
  value: Uint8Array,
): BankReplay {
  return {
    bank: bank.name,
    match: { rule: rule.id, items, value },
    reached: value,
    quoted: value,
  }
}
