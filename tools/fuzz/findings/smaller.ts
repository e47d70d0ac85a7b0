import { base64, unbase64 } from '../../../conformance/client/bytes.ts'
import type { Members } from '../stages.ts'

/** Runs that are cut out of a text or of bytes, from halves down to sixteenths. */
function* runs(length: number): Generator<readonly [from: number, to: number]> {
  for (const parts of [1, 2, 4, 8, 16]) {
    const size = Math.ceil(length / parts)
    if (size === 0 || (parts > 1 && size === length)) return
    for (let from = 0; from < length; from += size) yield [from, Math.min(length, from + size)]
  }
}

function* smallerText(text: string): Generator<string> {
  for (const [from, to] of runs(text.length)) yield text.slice(0, from) + text.slice(to)
}

function* smallerBytes(bytes: Uint8Array): Generator<Uint8Array> {
  for (const [from, to] of runs(bytes.length)) {
    yield new Uint8Array([...bytes.subarray(0, from), ...bytes.subarray(to)])
  }
}

/** A quote with bytes cut out of one of its parts. */
function* smallerQuote(quote: string): Generator<string> {
  const parts = quote.slice(1).split(':')
  for (const [at, part] of parts.entries()) {
    for (const bytes of smallerBytes(unbase64(part)))
      yield `r${parts.with(at, base64(bytes)).join(':')}`
  }
}

/** A document that lacks one of its members; texts that are none are cut like any other. */
function* smallerDocument(text: string): Generator<string> {
  for (const name of namesIn(text)) {
    const { [name]: _, ...rest } = JSON.parse(text)
    yield JSON.stringify(rest)
  }
  yield* smallerText(text)
}

function namesIn(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.keys(value)
      : []
  } catch {
    return []
  }
}

function* smallerLog(text: string): Generator<string> {
  for (const bytes of smallerBytes(unbase64(text))) yield base64(bytes)
}

function smallerMember(name: string, value: string): Iterable<string> {
  if (name === 'quote' && value.startsWith('r')) return smallerQuote(value)
  if (name === 'mb_list') return smallerLog(value)
  return value.startsWith('{') ? smallerDocument(value) : smallerText(value)
}

/** Members that say less: one of them absent, or shorter. */
export function* smallerMembers(members: Members): Generator<Members> {
  for (const name of Object.keys(members)) {
    const { [name]: _, ...rest } = members
    yield rest
  }
  for (const [name, value] of Object.entries(members)) {
    if (typeof value !== 'string') continue
    for (const shorter of smallerMember(name, value)) yield { ...members, [name]: shorter }
  }
}
