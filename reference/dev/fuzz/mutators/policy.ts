import { createECDH } from 'node:crypto'
import { enveloped, type PolicyRun } from '../policies.ts'
import type { Random } from '../random.ts'
import { mutateJson } from './json.ts'

const EXPRESSIONS = [
  '',
  '.',
  '.*',
  '(a+)+$',
  '(?=x)',
  '(?!x)',
  '(?<=x)y',
  '\\1',
  '[',
  '(',
  ')',
  '*',
  'a{1000}',
  'a{1001}',
  '(?:a{1000}){1000}',
  '(?P<n>a)',
  '\\Q',
  '\\Qa\\E',
  '\\',
  'a|',
  '|',
  '[^/]*\\.py',
  '(?i)A',
  '\\pL',
  '\\x{10FFFF}',
  '\u{1f600}',
  '(?a)x',
  'x++',
  '[a-z',
  '[z-a]',
  '\\b/x',
  '^',
  '$',
  '\\A',
  '\\z',
  '\\C',
  '(?s).',
  '((((((((((a))))))))))',
  '(?P<n>a)(?P<n>b)',
  '\u0000',
]

/** One or two changes of a policy document, inside its envelope if it has one. */
export function mutatePolicyRun(run: PolicyRun, other: PolicyRun, random: Random): PolicyRun {
  if (random.once(4096)) return { ...run, text: swollen(run.text, random) }
  let text = run.text
  for (let left = random.pick([1, 1, 2]); left > 0; left--) text = step(text, other.text, random)
  return { ...run, text }
}

function step(text: string, other: string, random: Random): string {
  const way = random.below(12)
  const document = objectOf(text)
  if (!document) return mutateJson(text, other, random)
  if (way === 0) return write(enveloped(random.once(4) ? enveloped(document) : document))
  if (way === 1 && typeof document['payload'] === 'string')
    return inside(document, document['payload'], other, random)
  if (way === 2 || way === 3) return withExpression(document, random)
  if (way === 4) return withKeyring(document, other, random)
  return mutateJson(text, other, random)
}

type Json = Readonly<Record<string, unknown>>

function objectOf(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Json) : undefined
  } catch {
    // A text that an earlier change broke has no members to change.
    return undefined
  }
}

function write(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}

function inside(document: Json, payload: string, other: string, random: Random): string {
  const text = Buffer.from(payload, 'base64').toString('utf8')
  const changed = Buffer.from(mutateJson(text, other, random)).toString('base64')
  return write({ ...document, payload: changed })
}

function withExpression(document: Json, random: Random): string {
  const excludes: unknown = document['excludes']
  const listed: readonly unknown[] = Array.isArray(excludes) ? excludes : []
  const more = random.pick(EXPRESSIONS) + (random.once(2) ? random.pick(EXPRESSIONS) : '')
  return write({ ...document, excludes: [...listed, more] })
}

function withKeyring(document: Json, other: string, random: Random): string {
  const keys: unknown = document['verification-keys']
  const donor = objectOf(other)?.['verification-keys']
  const text = typeof keys === 'string' && keys !== '' ? keys : '{"keyids":[],"pubkeys":[]}'
  const changed = mutateJson(text, typeof donor === 'string' && donor !== '' ? donor : '{}', random)
  return write({ ...document, 'verification-keys': changed })
}

const MANY = 4000

const KEYS = 2000

/** SubjectPublicKeyInfo of a point of P-256 (RFC 5480), up to the point. */
const SPKI = '3059301306072a8648ce3d020106082a8648ce3d030107034200'

/** A keyring of many keys, each with an id of its own or all with the same. */
function manyKeys(sameId: boolean): string {
  const keyids = Array.from({ length: KEYS }, (_, at) => (sameId ? 1 : at))
  return write({ keyids, pubkeys: points() })
}

let made: readonly string[] = []

/** The first multiples of the base point, made once. */
function points(): readonly string[] {
  if (made.length === 0)
    made = Array.from({ length: KEYS }, (_, at) => {
      const key = createECDH('prime256v1')
      key.setPrivateKey((at + 1).toString(16).padStart(64, '0'), 'hex')
      return Buffer.from(SPKI + key.getPublicKey('hex'), 'hex').toString('base64')
    })
  return made
}

/** A document with one of its members very long. */
function swollen(text: string, random: Random): string {
  const document = objectOf(text) ?? {}
  const digest = 'ab'.repeat(32)
  const numbered = (name: string) => Array.from({ length: MANY }, (_, at) => `${name}${at}`)
  switch (random.below(6)) {
    case 0:
      return write({
        ...document,
        digests: { '/bin/sh': Array.from({ length: MANY }, () => digest) },
      })
    case 1:
      return write({
        ...document,
        digests: Object.fromEntries(numbered('/bin/').map((path) => [path, [digest]])),
      })
    case 2:
      return write({ ...document, excludes: numbered('/tmp/') })
    case 3:
      return write({ ...document, 'verification-keys': manyKeys(random.once(2)) })
    case 4:
      return write({ ...document, excludes: [`(${'a?'.repeat(200)}${'a'.repeat(200)})*`] })
    default:
      return `${'{"a":'.repeat(MANY)}1${'}'.repeat(MANY)}`
  }
}
