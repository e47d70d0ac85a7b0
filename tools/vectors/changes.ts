import { fromBase64 } from '../../conformance/input/canonical-base64.ts'
import { fieldAt } from './field-at.ts'
import type { Body } from './vector.ts'

/** The bytes of one part of a body that differ from the baseline, from the first to the last. */
export interface Change {
  /** `quote, message`, `mb_list`. */
  readonly part: string
  readonly offset: number
  /** Bytes of the whole part. */
  readonly length: number
  /** Path of the field that the first of them belongs to, line of a list, or event of a log. */
  readonly field?: string
  readonly before: Uint8Array
  readonly after: Uint8Array
}

/** Differences of a body from its baseline, part by part; an absent part is empty. */
export function changesOf(baseline: Body, body: Body): readonly Change[] {
  const [old, now] = partsOf(baseline, body)
  const names = [...new Set([...old.keys(), ...now.keys()])]
  return names.flatMap((part) => {
    const before = old.get(part) ?? new Uint8Array()
    const after = now.get(part) ?? new Uint8Array()
    const span = spanOf(before, after)
    if (span === undefined) return []
    const { start, end } = span
    const field = fieldAt(part, after, start) ?? fieldAt(part, before, start)
    return [
      {
        ...{ part, offset: start, length: after.length },
        ...(field !== undefined && { field }),
        before: before.subarray(start, before.length - end),
        after: after.subarray(start, after.length - end),
      },
    ]
  })
}

type Parts = ReadonlyMap<string, Uint8Array>

/** The parts of both bodies; a member is decoded if it is canonical base64 in both. */
function partsOf(one: Body, other: Body): readonly [Parts, Parts] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  const pairs = names.flatMap((name) => {
    const [left, right] = [decoded(name, one[name]), decoded(name, other[name])]
    return left !== undefined && right !== undefined
      ? [[left, right] as const]
      : [[written(name, one[name]), written(name, other[name])] as const]
  })
  return [
    new Map(pairs.flatMap(([left]) => [...left])),
    new Map(pairs.flatMap(([, right]) => [...right])),
  ]
}

const QUOTE_PARTS = ['message', 'signature', 'PCR values']
const BASE64: readonly string[] = ['tpm_ak', 'tpm_ek', 'mb_list']

/** A member as the bytes that it stands for; undefined if it is not in the usual form. */
function decoded(name: string, value: unknown): Parts | undefined {
  if (name === 'quote') return typeof value === 'string' ? quoteParts(value) : undefined
  if (!BASE64.includes(name)) return undefined
  if (value === undefined) return new Map()
  const bytes = typeof value === 'string' ? fromBase64(value) : undefined
  return bytes && new Map([[name, bytes]])
}

function quoteParts(text: string): Parts | undefined {
  const parts = text.startsWith('r') ? text.slice(1).split(':').map(fromBase64) : []
  if (parts.length !== QUOTE_PARTS.length) return undefined
  const named = QUOTE_PARTS.flatMap((name, at) => {
    const bytes = parts[at]
    return bytes === undefined ? [] : [[`quote, ${name}`, bytes] as const]
  })
  return named.length === QUOTE_PARTS.length ? new Map(named) : undefined
}

/** A member as it is written. */
function written(name: string, value: unknown): Parts {
  if (value === undefined) return new Map()
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return new Map([[name, new TextEncoder().encode(text)]])
}

/** Bytes that are alike before and behind the difference; undefined if there is none. */
function spanOf(
  before: Uint8Array,
  after: Uint8Array,
): { readonly start: number; readonly end: number } | undefined {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  if (start === before.length && start === after.length) return undefined
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  return { start, end }
}
