import { EV } from '../../simulator/uefi/event-types.ts'
import type { Outcome } from '../fuzz/local/local-evaluator.ts'

type Fields = Readonly<Record<string, unknown>>

/** What a reader made of a file: its events, entries or attestation as items, a rejection, or no answer. */
export type Answer =
  | { readonly kind: 'read'; readonly items: readonly Fields[] }
  | { readonly kind: 'rejected'; readonly why: string }
  | { readonly kind: 'none'; readonly why: string }

export const RESULTS = ['agree', 'differ', 'one rejects', 'no answer'] as const
export type Result = (typeof RESULTS)[number]

/** How two answers compare in one field; of different ones the kind of the difference, and both values. */
export interface Comparison {
  readonly field: string
  readonly result: Result
  readonly difference?: string
  readonly ours?: unknown
  readonly theirs?: unknown
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const TYPES: ReadonlyMap<unknown, number> = new Map(
  Object.entries(EV).map(([name, type]) => [`EV_${name}`, type]),
)

/** An event type as its number. */
function withNumber(item: Fields): Fields {
  const type = TYPES.get(item['type'])
  return type === undefined ? item : { ...item, type }
}

/** The answer in one line of a reader. */
export function answerOfLine(line: string): Answer {
  let read: unknown
  try {
    read = JSON.parse(line)
  } catch {
    return { kind: 'none', why: 'no JSON' }
  }
  if (!isObject(read)) return { kind: 'none', why: 'no object' }
  const { error, crash, events, entries, attest } = read
  if (typeof error === 'string') return { kind: 'rejected', why: error }
  if (crash !== undefined) return { kind: 'none', why: `crash: ${crash}` }
  const items = events ?? entries ?? (attest === undefined ? undefined : [attest])
  if (!Array.isArray(items) || !items.every(isObject)) return { kind: 'none', why: 'no fields' }
  return { kind: 'read', items: items.map(withNumber) }
}

/** The answer of a program, which may have crashed or not have answered in time. */
export function answerOfOutcome(outcome: Outcome): Answer {
  switch (outcome.kind) {
    case 'line':
      return answerOfLine(outcome.line)
    case 'crash':
      return { kind: 'none', why: `crash: ${outcome.how}` }
    case 'hang':
      return { kind: 'none', why: 'hang' }
    case 'memory':
      return { kind: 'none', why: 'too much memory' }
  }
}

const LONGEST = 90

/** A reason without numbers, digests and quotations, so that the same reason is the same text for other files. */
export function reasonOf(why: string): string {
  return why
    .replace(/[^\x20-\x7e]+/g, '?')
    .replace(/"[^"]*"|'[^']*'/g, '"…"')
    .replace(/\b(?:0x[0-9a-f]+|[0-9a-f]*\d[0-9a-f]*)\b/gi, 'N')
    .slice(0, LONGEST)
}

/** Digests of algorithms that both know, as a reader leaves out those of others. */
function knownAlgorithms(items: readonly Fields[]): ReadonlySet<string> {
  return new Set(items.flatMap(({ digests }) => (isObject(digests) ? Object.keys(digests) : [])))
}

function digestsOf(value: unknown, known: ReadonlySet<string>): unknown {
  if (!isObject(value)) return value
  const entries = Object.entries(value).filter(([algorithm]) => known.has(algorithm))
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** The items with only the digests that both readers know. */
function comparable(items: readonly Fields[], known: ReadonlySet<string>): readonly Fields[] {
  return items.map((item) =>
    'digests' in item ? { ...item, digests: digestsOf(item['digests'], known) } : item,
  )
}

/** Names of the fields of any of the items. */
function fieldsOf(items: readonly Fields[]): ReadonlySet<string> {
  return new Set(items.flatMap((item) => Object.keys(item)))
}

function sameValue(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

function differenceOf(one: unknown, other: unknown): string {
  return typeof one === 'boolean' ? `${one}, theirs ${other}` : 'another value'
}

function compareField(
  field: string,
  ours: readonly Fields[],
  theirs: readonly Fields[],
): Comparison {
  for (const [at, own] of ours.entries()) {
    const [one, other] = [own[field], theirs[at]?.[field]]
    if (one !== undefined && other !== undefined && !sameValue(one, other))
      return {
        ...{ field, result: 'differ', difference: differenceOf(one, other) },
        ...{ ours: { at, value: one }, theirs: { at, value: other } },
      }
  }
  return { field, result: 'agree' }
}

function compareCounts(ours: number, theirs: number): Comparison {
  if (ours === theirs) return { field: 'count', result: 'agree' }
  const difference = ours > theirs ? 'ours has more' : 'theirs has more'
  return { field: 'count', result: 'differ', difference, ours, theirs }
}

function compareItems(ours: readonly Fields[], theirs: readonly Fields[]): readonly Comparison[] {
  const [own, foreign] = [knownAlgorithms(ours), knownAlgorithms(theirs)]
  const known = new Set([...own].filter((algorithm) => foreign.has(algorithm)))
  const [one, other] = [comparable(ours, known), comparable(theirs, known)]
  const fields = fieldsOf(theirs)
  const shared = [...fieldsOf(ours)].filter((field) => fields.has(field))
  return [
    compareCounts(ours.length, theirs.length),
    ...shared.map((field) => compareField(field, one, other)),
  ]
}

const MORE: Readonly<Record<Answer['kind'], number>> = { none: 2, rejected: 1, read: 0 }

/** Compares the answers of two readers to one file: first whether both read it, then field by field. */
export function compareAnswers(ours: Answer, theirs: Answer): readonly Comparison[] {
  if (ours.kind === 'read' && theirs.kind === 'read')
    return [{ field: 'answer', result: 'agree' }, ...compareItems(ours.items, theirs.items)]
  if (ours.kind === 'rejected' && theirs.kind === 'rejected')
    return [{ field: 'answer', result: 'agree' }]
  const [owner, worse] = MORE[ours.kind] >= MORE[theirs.kind] ? ['ours', ours] : ['theirs', theirs]
  const why = worse.kind === 'read' ? '' : worse.why
  const verb = worse.kind === 'none' ? 'gives no answer' : 'rejects'
  const short = (answer: Answer) => (answer.kind === 'read' ? 'read' : answer.why)
  return [
    {
      ...{ field: 'answer', result: worse.kind === 'none' ? 'no answer' : 'one rejects' },
      ...{ difference: `${owner} ${verb}: ${reasonOf(why)}` },
      ...{ ours: short(ours), theirs: short(theirs) },
    },
  ]
}
