import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CatalogueRow } from '../spec/requirement.ts'
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

test('a scenario in its place is found', async () => {
  write('')
  expect((await discover()).map(({ id }) => id)).toEqual(['a'])
})

test.each([
  ['an id that is not its place', "id: 'b'", 'has the id b, its place says a'],
  ['a requirement the catalogue lacks', "requirements: ['NONE']", 'a speaks for NONE'],
  ['no requirement', 'requirements: []', 'a speaks for no requirement'],
  ['a twin that does not exist', "variantOf: 'z'", 'a is a variant of z'],
  ['nothing to run', 'run: undefined', 'exports no scenario'],
])('a scenario with %s is a fault of the suite', async (_what, members, sentence) => {
  write(members)
  await expect(discover()).rejects.toThrow(sentence)
})
