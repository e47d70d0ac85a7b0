import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { packageRoot } from '../../conformance/input/package-root.ts'
import { presentGroups, presentResults } from './present-vectors.ts'
import { runVectors } from './run-vectors.ts'
import { type VectorGroup, vectorGroups } from './vectors.ts'

const groups = vectorGroups()
const all = groups.flatMap(({ vectors }) => vectors)
const schema = readFileSync(join(packageRoot(), 'reports/schema/vectors.schema.json'), 'utf8')

test('each group has the published schema', () => {
  const validate = new Ajv2020().compile(JSON.parse(schema))
  for (const group of groups) {
    validate(group)
    expect(validate.errors).toBe(null)
  }
})

test('ids are unique, and each changed vector differs from a baseline that is valid', () => {
  const byId = new Map(all.map((vector) => [vector.id, vector]))
  expect(byId.size).toBe(all.length)
  for (const { id, baseline, body } of all.filter((one) => one.baseline !== undefined)) {
    const twin = byId.get(baseline ?? '')
    expect(twin?.expected, id).toBe('valid')
    expect(body, id).not.toEqual(twin?.body)
  }
})

test('there are valid and invalid vectors of each kind of evidence', () => {
  expect(groups.map(({ group }) => group)).toEqual([
    ...['quote-string', 'attest', 'signature', 'pcr-part', 'ima-ascii', 'uefi-log', 'uefi-data'],
  ])
  for (const { vectors } of groups) {
    const expected = new Set(vectors.map((vector) => vector.expected))
    expect([...expected]).toEqual(expect.arrayContaining(['valid', 'invalid']))
  }
  expect(presentGroups(groups)).toContain(`${all.length} vectors`)
})

/** One vector of each expected verdict. */
const SMALL: VectorGroup = {
  schema: 'assay.vectors/1',
  group: 'small',
  vectors: (['valid', 'invalid', 'either'] as const).flatMap(
    (expected) => all.find((vector) => vector.expected === expected) ?? [],
  ),
}

/** An adapter that prints this for each line. */
const printing = (line: string) => [
  process.execPath,
  '-e',
  `require('node:readline').createInterface({ input: process.stdin }).on('line', () => console.log(${JSON.stringify(line)}))`,
]

const outcomesOf = async (command: readonly string[]) => {
  const [result] = await runVectors(command, [SMALL])
  return result?.results.map(({ outcome }) => outcome)
}

test.each([
  ['accepts everything', '{"valid":true}', ['agrees', 'differs', 'agrees']],
  ['accepts everything with 1', '{"valid":1}', ['agrees', 'differs', 'agrees']],
  ['rejects everything', '{"valid":false,"failures":[]}', ['differs', 'agrees', 'agrees']],
  ['reads nothing', '{"error":"no"}', ['differs', 'agrees', 'agrees']],
  ['supports nothing', '{"skip":"no logs"}', ['not judged', 'not judged', 'not judged']],
  ['says neither yes nor no', '{"ok":true}', ['differs', 'differs', 'differs']],
  ['prints no JSON', 'valid', ['differs', 'differs', 'differs']],
])('an adapter that %s', async (_, line, expected) => {
  expect(await outcomesOf(printing(line))).toEqual(expected)
})

test('an adapter that ends at the second vector differs there', async () => {
  const program = `let n = 0
    require('node:readline').createInterface({ input: process.stdin })
      .on('line', (line) => JSON.parse(line).quote === ${JSON.stringify(SMALL.vectors[1]?.body['quote'])} ? process.exit(3) : console.log('{"valid":true}'))`
  expect(await outcomesOf([process.execPath, '-e', program])).toEqual([
    ...['agrees', 'differs', 'agrees'],
  ])
})

test('a difference is shown with its change, its flaw and the answer', async () => {
  const shown = presentResults(await runVectors(printing('{"valid":true}'), [SMALL]))
  const invalid = SMALL.vectors[1]
  expect(shown).toContain(`${invalid?.id}: expected invalid (${invalid?.reason}), answered valid`)
  expect(shown).toContain(`    ${invalid?.comment}\n    flaw ${invalid?.flaw?.case}:`)
  expect(shown).toContain('{"valid":true}')
})
