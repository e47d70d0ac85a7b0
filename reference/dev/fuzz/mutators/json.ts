import type { Random } from '../random.ts'
import { mutateBytes } from './bytes.ts'

const ODD_KEYS = [
  '',
  '0',
  '10',
  '010',
  '24',
  '-1',
  '1e1',
  '10 ',
  '0x0a',
  '__proto__',
  'constructor',
  'length',
  'toString',
]
const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 53,
  '',
  ' ',
  '0x',
  'sha1',
  'sha256',
  'zz',
  [],
  [null],
  [[]],
  {},
  { a: 1 },
  'ab'.repeat(20),
  'AB'.repeat(32),
  'ab'.repeat(32),
  'a'.repeat(41),
  'ab'.repeat(64),
  'ab'.repeat(65),
  '\u{fffd}',
  '*',
]

/** A JSON text with one change: of a member somewhere inside, or of the text itself. */
export function mutateJson(text: string, other: string, random: Random): string {
  if (random.once(6)) return mutateText(text, random)
  const value = parsed(text)
  if (value === undefined) return mutateText(text, random)
  const changed = mutateValue(value, parsed(other), random, 0)
  const written = JSON.stringify(changed) ?? 'null'
  return random.once(12) ? withDuplicate(written, random) : written
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A text that an earlier change broke is changed as text.
    return undefined
  }
}

function mutateText(text: string, random: Random): string {
  return Buffer.from(mutateBytes(Buffer.from(text), random)).toString('utf8')
}

/** A member of the outermost object once more, with another value. */
function withDuplicate(text: string, random: Random): string {
  const key = /^\{("(?:[^"\\]|\\.)*"):/.exec(text)?.[1]
  if (key === undefined) return text
  return `${text.slice(0, -1)},${key}:${JSON.stringify(random.pick(ODD_VALUES)) ?? 'null'}}`
}

function mutateValue(value: unknown, other: unknown, random: Random, depth: number): unknown {
  const isContainer = typeof value === 'object' && value !== null
  if (!isContainer || depth > 8) return mutateLeaf(value, other, random)
  if (random.once(10)) return random.once(2) ? random.pick(ODD_VALUES) : (other ?? value)
  return Array.isArray(value)
    ? mutateList(value, other, random, depth)
    : mutateObject(value, other, random, depth)
}

function mutateLeaf(value: unknown, other: unknown, random: Random): unknown {
  if (typeof value === 'string' && !random.once(3))
    return random.once(4) ? value.toUpperCase() : mutateText(value, random)
  if (typeof value === 'number' && random.once(2))
    return random.once(2) ? value + 1 : random.below(10)
  return random.once(3) && other !== undefined ? other : random.pick(ODD_VALUES)
}

function mutateList(
  value: readonly unknown[],
  other: unknown,
  random: Random,
  depth: number,
): readonly unknown[] {
  const at = random.below(value.length + 1)
  const from: unknown = Array.isArray(other) ? other[random.below(other.length + 1)] : other
  if (at === value.length || random.once(6))
    return value.toSpliced(at, 0, from ?? random.pick(ODD_VALUES))
  if (random.once(6)) return value.toSpliced(at, 1)
  return value.with(at, mutateValue(value[at], from, random, depth + 1))
}

function mutateObject(
  value: object,
  other: unknown,
  random: Random,
  depth: number,
): Readonly<Record<string, unknown>> {
  const entries: [string, unknown][] = Object.entries(value)
  const at = random.below(entries.length + 1)
  const [key, held] = entries[at] ?? [random.pick(ODD_KEYS), random.pick(ODD_VALUES)]
  const from = memberOf(other, key)
  if (at === entries.length) return Object.fromEntries([...entries, [key, from ?? held]])
  switch (random.below(8)) {
    case 0:
      return Object.fromEntries(entries.toSpliced(at, 1))
    case 1:
      return Object.fromEntries(entries.with(at, [renamed(key, random), held]))
    case 2:
      return Object.fromEntries(entries.toSpliced(at, 0, [renamed(key, random), from ?? held]))
    default:
      return Object.fromEntries(entries.with(at, [key, mutateValue(held, from, random, depth + 1)]))
  }
}

function renamed(key: string, random: Random): string {
  return random.once(2) ? random.pick(ODD_KEYS) : mutateText(key, random)
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.getOwnPropertyDescriptor(value, key)?.value
}
