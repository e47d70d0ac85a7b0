import type { SeededRandom } from '../../attempt/random.ts'
import type { Reply } from '../../attempt/reply.ts'

/** Values that a server may send in place of any other. */
const VALUES: readonly unknown[] = [
  ...[null, true, 0, -1, 2.5, 1e21, '', 'x', '\u0000', '%%%', 'AAAA', [], [null], {}, [[]]],
  ...['2.5', '/', 'https://127.0.0.1:1/', '2026-02-30T25:61:61Z', 'a'.repeat(70_000)],
]

/** Bodies that are no JSON object. */
const TEXTS = ['', '[]', 'null', '"x"', '7', '{', '<html></html>', '{"a":1}{"b":2}'] as const

const STATUSES = [200, 201, 202, 204, 302, 400, 404, 500, 599] as const

function oneOf<T>(random: SeededRandom, values: readonly T[]): T {
  return values[random.below(values.length)] as T
}

/** Replaces, removes or doubles one value somewhere in a JSON value. */
function mutateValue(value: unknown, random: SeededRandom): unknown {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  if (entries.length === 0 || random.below(5) === 0) return oneOf(random, VALUES)
  const [key, inner] = oneOf(random, entries)
  if (Array.isArray(value)) {
    const list = value.map((one, at) => (String(at) === key ? mutateValue(inner, random) : one))
    return oneOf(random, [list, [...list, ...list], list.slice(1)])
  }
  const changed = { ...(value as object), [key]: mutateValue(inner, random) }
  return random.below(5) === 0
    ? Object.fromEntries(entries.filter(([name]) => name !== key))
    : changed
}

/** A reply as a defective server would send it: another body, another value in it, or another status. */
export function mutateReply(reply: Reply, random: SeededRandom): Reply {
  const kind = random.below(10)
  if (kind === 0) return { ...reply, status: oneOf(random, STATUSES) }
  if (kind === 1) return withText(reply, oneOf(random, TEXTS))
  return withText(reply, JSON.stringify(mutateValue(reply.body, random)) ?? '')
}

function withText(reply: Reply, text: string): Reply {
  try {
    return { ...reply, text, body: JSON.parse(text) }
  } catch {
    return { ...reply, text, body: undefined }
  }
}
