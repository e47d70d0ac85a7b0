import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CatalogueRow } from '../catalogue/requirement.ts'
import { discoverScenarios } from './discover.ts'

const REQ: CatalogueRow = {
  id: 'REQ',
  component: 'x',
  since: '2.1',
  lines: [1],
  says: 'It is so',
  strength: 'fixed',
  judged: 'wire',
}
let directory = ''

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'assay-discover-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const write = (members: string) =>
  writeFileSync(
    join(directory, 'a.js'),
    `export default { id: 'a', title: 't', requirements: ['REQ'], role: 'verifier', since: '2.1', run() {}, ${members} }`,
  )
const discover = () => discoverScenarios([REQ], directory)

test('a variant of a scenario that runs alone must run alone too', async () => {
  const family = (file: string, variant: string) =>
    writeFileSync(
      join(directory, `${file}.js`),
      `const one = { title: 't', requirements: ['REQ'], role: 'verifier', since: '2.1', run() {} }
      export default [{ ...one, id: '${file}.1', alone: true }, { ...one, id: '${file}.2', variantOf: '${file}.1', ${variant} }]`,
    )
  family('a', 'alone: true')
  expect(await discover()).toHaveLength(2)
  family('b', '')
  await expect(discover()).rejects.toThrow('b.2 is a variant of b.1, and does not run alone')
})

test('a scenario whose id is its path is loaded', async () => {
  write('')
  expect((await discover()).map(({ id }) => id)).toEqual(['a'])
})

const writeFamily = (...ids: readonly string[]) =>
  writeFileSync(
    join(directory, 'a.js'),
    `export default ${JSON.stringify(ids)}.map((id) => ({ id, title: 't', requirements: ['REQ'], role: 'verifier', since: '2.1', run() {} }))`,
  )

test('a file may export a family of scenarios with its path as their prefix', async () => {
  writeFamily('a.one', 'a.two')
  expect((await discover()).map(({ id }) => id)).toEqual(['a.one', 'a.two'])
})

test.each([
  ['an id of another path', ['a.one', 'b.two'], 'has the id b.two, a family with this path begins'],
  ['the id of the file', ['a'], 'has the id a, a family with this path begins with a.'],
  ['a duplicate id', ['a.one', 'a.one'], 'two scenarios have the id a.one'],
  ['an empty list', [], 'exports an empty family'],
])('a family with %s is rejected', async (_what, ids, sentence) => {
  writeFamily(...ids)
  await expect(discover()).rejects.toThrow(sentence)
})

test.each([
  ['an id that is not its path', "id: 'b'", 'has the id b, its path gives a'],
  ['a requirement the catalogue lacks', "requirements: ['NONE']", 'a covers NONE'],
  ['no requirement', 'requirements: []', 'a covers no requirement'],
  ['a twin that does not exist', "variantOf: 'z'", 'a is a variant of z'],
  ['nothing to run', 'run: undefined', 'exports no scenario'],
])('a scenario with %s is rejected', async (_what, members, sentence) => {
  write(members)
  await expect(discover()).rejects.toThrow(sentence)
})
