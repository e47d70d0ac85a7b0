import { createPublicKey } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import Table from 'cli-table3'
import { afterAll, expect, test } from 'vitest'
import { isSignedBy, readEnvelope } from './dsse.ts'
import { objectAt, parseJson } from './policy-shape.ts'
import { parseRuntimePolicy, parseTextAllowlist, type RuntimePolicy } from './runtime-policy.ts'

const DATA = new URL('../../../../../shared/data/keylime/', import.meta.url)
const absent = !existsSync(DATA)
const WHY = absent ? ' (skipped: no real policies next to the repository)' : ''

function load(file: string): string {
  return readFileSync(new URL(file, DATA), 'utf8')
}

const NAMED = 'digests: a digest behind the name of its algorithm is read without the name'
const ENVELOPE = 'an envelope (DSSE) of type "application/vnd.keylime+json" around the policy'
const LINES = 'an allowlist in lines of digest and path'

/** File -> what is read: generator, paths, keyrings; and the notes. */
const POLICIES: readonly (readonly [file: string, expected: string, notes: readonly string[]])[] = [
  ['test/data/create-runtime-policy/policy-sha1', '3: 1 paths, 0 keyrings', []],
  ['test/data/create-runtime-policy/policy-sha256', '3: 1 paths, 0 keyrings', []],
  ['test/data/create-runtime-policy/policy-sha384', '3: 1 paths, 0 keyrings', []],
  ['test/data/create-runtime-policy/policy-sha512', '3: 1 paths, 0 keyrings', []],
  ['test/data/create-runtime-policy/policy-sm3_256', '3: 1 paths, 0 keyrings', []],
  ['test/data/create-runtime-policy/policy-unknown', '3: 1 paths, 0 keyrings', []],
  ['test/data/runtime-policy-test.json', '2: 21 paths, 1 keyrings', [NAMED]],
  ['test/data/runtime-policy-test-signed.json', '2: 21 paths, 1 keyrings', [ENVELOPE, NAMED]],
  ['test/data/runtime-policy-test-signed-bad.json', 'signatures[0].sig: base64 text must be', []],
  ['test-data/files/allowlist.json', 'meta: expected an object', []],
]

const TEXTS: readonly (readonly [file: string, expected: string, notes: readonly string[]])[] = [
  ['test/data/ima-allowlist-short.txt', '3: 21 paths, 1 keyrings', [LINES, NAMED]],
  ['test/data/create-runtime-policy/allowlist-sha1', '3: 1 paths, 0 keyrings', [LINES]],
  ['test/data/create-runtime-policy/allowlist-sha256', '3: 1 paths, 0 keyrings', [LINES]],
  ['test/data/create-runtime-policy/allowlist-sha384', '3: 1 paths, 0 keyrings', [LINES]],
  ['test/data/create-runtime-policy/allowlist-sha512', '3: 1 paths, 0 keyrings', [LINES]],
  ['test/data/create-runtime-policy/allowlist-sm3_256', '3: 1 paths, 0 keyrings', [LINES]],
  ['test/data/create-runtime-policy/allowlist-unknown', 'digests["data"][0]: expected 40', []],
]

const rows: string[][] = []

function outcome(file: string, read: () => RuntimePolicy): readonly [string, readonly string[]] {
  const [summary, notes] = summaryOf(read)
  rows.push([file, summary, notes.join('; ')])
  return [summary, notes]
}

function summaryOf(read: () => RuntimePolicy): readonly [string, readonly string[]] {
  try {
    const { generator, digests, keyrings, notes } = read()
    return [`${generator}: ${digests.size} paths, ${keyrings.size} keyrings`, notes]
  } catch (error) {
    return [(error as Error).message, []]
  }
}

test.skipIf(absent).each(POLICIES)(`the policy %s is read as %s${WHY}`, (file, expected, notes) => {
  const [summary, noted] = outcome(file, () => parseRuntimePolicy(load(file)))
  expect(summary.slice(0, expected.length)).toBe(expected)
  expect(noted).toEqual(notes)
})

test.skipIf(absent).each(TEXTS)(`the allowlist %s is read as %s${WHY}`, (file, expected, notes) => {
  const [summary, noted] = outcome(file, () => parseTextAllowlist(load(file)))
  expect(summary.slice(0, expected.length)).toBe(expected)
  expect(noted).toEqual(notes)
})

test.skipIf(absent)(`the signed policy verifies under the key beside it${WHY}`, () => {
  const key = createPublicKey(load('test/data/runtime-policy-pubkey.pub'))
  const text = load('test/data/runtime-policy-test-signed.json')
  const envelope = readEnvelope(objectAt(parseJson(text, 'policy'), 'policy'))
  expect(isSignedBy(envelope, [key])).toBe(true)
  const payload = envelope.payload.map((byte, at) => (at === 0 ? byte ^ 1 : byte))
  expect(isSignedBy({ ...envelope, payload }, [key])).toBe(false)
})

test.skipIf(absent)(`the allowlist and the policy made of it say the same${WHY}`, () => {
  const lines = parseTextAllowlist(load('test/data/ima-allowlist-short.txt'))
  const policy = parseRuntimePolicy(load('test/data/runtime-policy-test.json'))
  expect(lines.digests).toEqual(policy.digests)
  expect(lines.keyrings).toEqual(policy.keyrings)
})

afterAll(() => {
  if (rows.length === 0) return
  const table = new Table({
    head: ['policy', 'generator: content, or why not', 'notes'],
    style: { head: [], border: [] },
  })
  console.log(table.push(...rows) && table.toString())
})
