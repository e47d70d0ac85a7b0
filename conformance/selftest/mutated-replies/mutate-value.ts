import type { SeededRandom } from '../../attempt/random.ts'

/** Values that a server may send in place of any other. */
const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -1, 2.5, 1e21, 2 ** 53, -(2 ** 31), '', 'x', '\u0000', '%%%', 'AAAA'],
  ...[[], [null], {}, [[]], { '': 0 }, '\ud800', '2.5', '/', 'https://127.0.0.1:1/'],
  ...['2026-02-30T25:61:61Z', '+275761-01-01T00:00:00Z', 'a'.repeat(70_000), '../../..', '🙂'],
  '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  // An EC key, where the document has RSA.
  '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt\n6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==\n-----END PUBLIC KEY-----\n',
]

type Object = Readonly<Record<string, unknown>>

/** Another type with the same content, or nearly. */
const SWAPS: readonly ((value: unknown) => unknown)[] = [
  (value) => [value],
  (value) => ({ value }),
  (value) => JSON.stringify(value),
  (value) => (typeof value === 'number' ? String(value) : Number(value)),
  (value) => Object.entries(Object(value)),
  (value) => Object.fromEntries(Object.entries(Object(value))),
  (value) => (Array.isArray(value) ? Object.assign({}, value) : [value, value]),
  (value) => Boolean(value),
]

export function oneOf<T>(random: SeededRandom, values: readonly T[]): T {
  return values[random.below(values.length)] as T
}

/** A text with one place changed. */
function mutateText(text: string, random: SeededRandom): string {
  const at = random.below(text.length + 1)
  const [before, after] = [text.slice(0, at), text.slice(at)]
  const other = String.fromCharCode(33 + random.below(94))
  return oneOf(random, [
    before,
    after,
    `${before}\u0000${after}`,
    `${before}${other}${after.slice(1)}`,
    `${text}${text}`,
    ` ${text}\n`,
    text.toUpperCase(),
    text.toLowerCase(),
    [...text].reverse().join(''),
    Buffer.from(text).toString('base64'),
    Buffer.from(text, 'base64').subarray(1).toString('base64'),
    Buffer.from(text, 'base64').toString('hex'),
  ])
}

/** Replaces, removes, renames or doubles one value somewhere in a JSON value. `met` holds values of other messages. */
export function mutateValue(
  value: unknown,
  random: SeededRandom,
  met: readonly unknown[] = [],
): unknown {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  if (entries.length === 0 || random.below(6) === 0) return mutateHere(value, random, met)
  const [key, inner] = oneOf(random, entries)
  const changed = mutateValue(inner, random, met)
  if (Array.isArray(value)) return mutateList(value, Number(key), changed, random)
  const kind = random.below(10)
  if (kind === 0) return without(value as Object, key)
  if (kind === 1) return { ...without(value as Object, key), [oneOf(random, keysNear(key))]: inner }
  return { ...(value as object), [key]: changed }
}

function mutateHere(value: unknown, random: SeededRandom, met: readonly unknown[]): unknown {
  const kind = random.below(4)
  if (kind === 0) return oneOf(random, SWAPS)(value)
  if (kind === 1 && met.length > 0) return oneOf(random, met)
  if (kind === 2 && typeof value === 'string') return mutateText(value, random)
  if (kind === 2 && typeof value === 'number')
    return oneOf(random, [-value, value + 1, value * 2 ** 40, value / 3])
  return oneOf(random, VALUES)
}

function mutateList(
  list: readonly unknown[],
  at: number,
  changed: unknown,
  random: SeededRandom,
): unknown {
  const other = list.map((one, index) => (index === at ? changed : one))
  return oneOf(random, [
    ...[other, other, other],
    [...list, ...list],
    list.slice(1),
    list.toReversed(),
    Object.assign({}, list),
  ])
}

function without(value: Object, key: string): Object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
}

function keysNear(key: string): readonly string[] {
  return [key.toUpperCase(), `${key} `, '', '__proto__', 'constructor', `${key}s`]
}
