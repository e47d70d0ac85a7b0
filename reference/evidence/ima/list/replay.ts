import { toHex } from '../../../bytes/hex.ts'
import { type HashAlgorithm, hashByName } from '../../../tpm/algorithms.ts'
import { digestLatin1 } from '../../../tpm/digest.ts'
import type { VerifiedPcrs } from '../../quote/verified-pcrs.ts'
import { type ImaEntry, isViolation } from './entry.ts'

/** PCR that IMA extends (CONFIG_IMA_MEASURE_PCR_IDX) */
export const IMA_PCR = 10

/** Bytes as a text of one character each: the cheapest thing to hash, to compare and to keep. */
export type ByteText = string

/** How a kernel makes the value it extends into a bank from an entry. */
interface ExtendRule {
  readonly id: string
  readonly why: string
  appliesTo(bank: string): boolean
  value(entry: ImaEntry, bank: HashAlgorithm): ByteText
}

const SHA1 = hashByName('sha1')

/**
 * Rules in the order in which they are tried; one rule must explain the whole list.
 * The second is confined to the banks where kernels are known to need it: it binds entries by SHA-1 only.
 */
const extendRules: readonly ExtendRule[] = [
  {
    id: 'template-hash',
    why: 'a kernel that has the hash of the bank extends the hash of the template data',
    appliesTo: () => true,
    value: (entry, bank) => digestLatin1(bank, entry.data),
  },
  {
    id: 'padded-sha1',
    why: 'a kernel that lacks the hash of the bank at boot extends the SHA-1 padded with zeros',
    appliesTo: (bank) => bank === 'sha384' || bank === 'sha512',
    value: (entry, bank) => (SHA1 ? digestLatin1(SHA1, entry.data) : '').padEnd(bank.size, '\0'),
  },
]

/** Replay of a list against one bank. */
export interface BankReplay {
  readonly bank: string
  /** set when the quoted value was met: the rule, and how much of the list it covers */
  readonly match?: { readonly rule: string; readonly items: number; readonly lines: number }
  /** lower-case hexadecimal: the value that was met, or that after the whole list by the first rule */
  readonly reached: string
  /** lower-case hexadecimal */
  readonly quoted: string
}

/** What replay starts from: bank -> value of PCR 10 before the first entry. */
export type ReplayStart = (bank: HashAlgorithm) => Uint8Array | undefined

/** PCR 10 after a reset. */
export const fromReset: ReplayStart = (bank) => new Uint8Array(bank.size)

function byteText(bytes: Uint8Array): ByteText {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** By hand: for a digest, a native call costs more than the loop. */
function writeText(bytes: Uint8Array, start: number, text: ByteText): void {
  for (let index = 0; index < text.length; index++) bytes[start + index] = text.charCodeAt(index)
}

/** The value of PCR 10 in one bank by one rule, during the replay; it stops once it has met the quoted one. */
class Fold {
  readonly bank: HashAlgorithm
  readonly rule: ExtendRule
  readonly #quoted: ByteText
  readonly #scratch: Buffer
  readonly #ones: ByteText
  #value: ByteText
  #match: BankReplay['match']

  constructor(bank: HashAlgorithm, rule: ExtendRule, quoted: Uint8Array, start: Uint8Array) {
    this.bank = bank
    this.rule = rule
    this.#quoted = byteText(quoted)
    this.#scratch = Buffer.alloc(bank.size * 2)
    this.#ones = '\u{ff}'.repeat(bank.size)
    this.#value = byteText(start)
    this.#compare(0, 0)
  }

  get match(): BankReplay['match'] {
    return this.#match
  }

  get reached(): string {
    return Buffer.from(this.#value, 'latin1').toString('hex')
  }

  valueOf(entry: ImaEntry): ByteText {
    return isViolation(entry) ? this.#ones : this.rule.value(entry, this.bank)
  }

  /** Extends, and compares; the counts are those of the list up to here. */
  extend(value: ByteText, items: number, lines: number): void {
    if (this.#match) return
    writeText(this.#scratch, 0, this.#value)
    writeText(this.#scratch, this.bank.size, value)
    this.#value = digestLatin1(this.bank, this.#scratch)
    this.#compare(items, lines)
  }

  #compare(items: number, lines: number): void {
    if (this.#value === this.#quoted) this.#match = { rule: this.rule.id, items, lines }
  }
}

/**
 * Replays a list against PCR 10 of every proven bank, entry by entry.
 *
 * The quoted value must be met before the first entry or after any one: the list may run ahead of the quote.
 * A violation extends ones. An item that cannot be read extends nothing, so that a list with one that was measured
 * does not match.
 */
export class ImaReplay {
  readonly #folds: readonly Fold[]
  readonly #quoted: ReadonlyMap<string, Uint8Array>

  constructor(
    verified: VerifiedPcrs,
    start: ReplayStart = fromReset,
    rules: readonly ExtendRule[] = extendRules,
  ) {
    const quoted = [...verified].flatMap(([name, values]) => {
      const value = values.get(IMA_PCR)
      return value && hashByName(name) ? [[name, value] as const] : []
    })
    this.#quoted = new Map(quoted)
    this.#folds = quoted.flatMap(([name, value]) => foldsOf(name, value, start, rules))
  }

  /** Key of the banks and rules that the values of an entry belong to. */
  get key(): string {
    return this.#folds.map(({ bank, rule }) => `${bank.name} ${rule.id}`).join()
  }

  /** Whether every bank has met its quoted value: later entries are not covered. */
  get isOver(): boolean {
    return this.#folds.every(({ match }) => match !== undefined)
  }

  /** What each bank and rule extends for an entry, one behind the other; those that have met their value included. */
  valuesOf(entry: ImaEntry): ByteText {
    let values = ''
    for (const fold of this.#folds) values += fold.valueOf(entry)
    return values
  }

  /** Extends what {@link valuesOf} gave; the counts are those of the list, this entry included. */
  extend(values: ByteText, items: number, lines: number): void {
    let at = 0
    for (const fold of this.#folds) {
      const end = at + fold.bank.size
      fold.extend(end - at === values.length ? values : values.slice(at, end), items, lines)
      at = end
    }
  }

  /** One row a bank; by the rule that met the quoted value, or else by the first. */
  results(): readonly BankReplay[] {
    return [...this.#quoted].map(([bank, quoted]) => {
      const folds = this.#folds.filter((fold) => fold.bank.name === bank)
      const fold = folds.find(({ match }) => match) ?? folds[0]
      return {
        bank,
        reached: fold?.reached ?? '',
        quoted: toHex(quoted),
        ...(fold?.match && { match: fold.match }),
      }
    })
  }
}

function foldsOf(
  name: string,
  quoted: Uint8Array,
  start: ReplayStart,
  rules: readonly ExtendRule[],
): readonly Fold[] {
  const bank = hashByName(name)
  const from = bank?.digest && start(bank)
  if (!bank || !from) return []
  return rules
    .filter((rule) => rule.appliesTo(name))
    .map((rule) => new Fold(bank, rule, quoted, from))
}
