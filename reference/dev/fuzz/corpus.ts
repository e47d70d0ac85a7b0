import { existsSync, readFileSync } from 'node:fs'
import { equalBytes } from '../../bytes/equal.ts'
import type { Kept } from './fuzz.ts'
import { packInput, sizeOf, unpackInput } from './pack.ts'
import type { Data, Input, Target } from './target.ts'

/** An input worth replaying, as the members in which it differs from the honest one it came from. */
export interface CorpusEntry {
  /** what was said when it was kept; a message may be reworded, the verdict stays */
  readonly verdict: string
  readonly says: readonly string[]
  /** members that are not there, though the honest input has them */
  readonly without: readonly string[]
  readonly change: string
}

const FIXTURES = ['../../fixtures/', '../../../fixtures/'].map(
  (path) => new URL(path, import.meta.url),
)

/** Where the corpus of a target is kept; a built copy lies one folder deeper than the sources. */
export function corpusFile(name: string): URL {
  const folder = FIXTURES.find((each) => existsSync(each))
  if (!folder) throw new Error('the fixtures are not in this copy')
  return new URL(`fuzz/${name}/corpus.json`, folder)
}

/** The committed corpus of a target; none is an empty one. */
export function loadCorpus(name: string): readonly CorpusEntry[] {
  const file = corpusFile(name)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly CorpusEntry[]) : []
}

export function entryOf<Case extends Input>(
  target: Target<Case>,
  input: Input,
  { verdict, says }: Pick<CorpusEntry, 'verdict' | 'says'>,
): CorpusEntry {
  const base: Input = target.honest[input.of] ?? { of: input.of }
  const changed = Object.entries(input).filter(
    ([member, value]) => member === 'of' || (value !== undefined && !same(value, base[member])),
  )
  const without = Object.keys(base).filter((member) => input[member] === undefined)
  return { verdict, says, without, change: packInput(Object.fromEntries(changed) as Input) }
}

/** The input of an entry. */
export function inputOf<Case extends Input>(
  target: Target<Case>,
  { without, change }: Pick<CorpusEntry, 'without' | 'change'>,
): Case {
  const changed = unpackInput<Case>(change)
  const base = Object.entries(target.honest[changed.of] ?? {})
  const kept = base.filter(([member]) => !without.includes(member))
  return { ...Object.fromEntries(kept), ...changed }
}

function same(left: Data, right: Data): boolean {
  if (left instanceof Uint8Array && right instanceof Uint8Array) return equalBytes(left, right)
  return left === right || (isPlain(left) && isPlain(right) && text(left) === text(right))
}

function isPlain(data: Data): boolean {
  return typeof data === 'object' && data !== null && !(data instanceof Uint8Array)
}

function text(data: Data): string {
  return packInput({ of: 0, data })
}

const MAX_ENTRIES = 96

/** The smallest inputs that together have everything said that a session heard, and one that passed by mutation. */
export function coverOf<Case extends Input>(
  target: Target<Case>,
  kept: readonly Kept[],
): readonly CorpusEntry[] {
  const smallest = new Map<string, Kept>()
  const bySize = kept
    .filter(({ lineage }) => lineage.length > 0)
    .toSorted((one, other) => sizeOf(one.input) - sizeOf(other.input))
  for (const each of bySize)
    for (const said of [each.observation.verdict, ...each.observation.says])
      if (!smallest.has(said)) smallest.set(said, each)
  return [...new Set(smallest.values())]
    .slice(0, MAX_ENTRIES)
    .map(({ input, observation }) => entryOf(target, input, observation))
}
