import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../input/package-root.ts'
import { compareSkipped, loadSkipList, type RunFile, unmetNeeds } from './skipped-tests.ts'

const LIST = {
  '../data': { 'a.test.ts': { 're*s it': 2 } },
  browser: { 'b.test.ts': { looks: 1 } },
}

function run(file: string, titles: Readonly<Record<string, boolean>>): readonly RunFile[] {
  const tests = Object.entries(titles).map(([title, skipped]) => ({ title, skipped }))
  return [{ file, tests }]
}

const WITHOUT_DATA = { 'reads it (skipped: no data)': true, 'replays it': true, adds: false }
const WITH_DATA = { 'reads it': false, 'replays it': false, adds: false }

test('if its need is met no test is skipped, otherwise exactly those of the list', () => {
  expect(compareSkipped(LIST, [], run('a.test.ts', WITH_DATA))).toEqual([])
  expect(compareSkipped(LIST, ['../data'], run('a.test.ts', WITHOUT_DATA))).toEqual([])
})

test.each<[string, readonly string[], Readonly<Record<string, boolean>>, string]>([
  [
    'skipped although its need is met',
    [],
    { ...WITH_DATA, 'reads it': true },
    '"reads it" was skipped',
  ],
  ['skipped for another need', ['browser'], { ...WITH_DATA, 'reads it': true }, 'was skipped'],
  [
    'skipped and not in the list',
    ['../data'],
    { ...WITHOUT_DATA, adds: true },
    '"adds" was skipped',
  ],
  [
    'run although its need is not met',
    ['../data'],
    { ...WITHOUT_DATA, 'replays it': false },
    'ran although',
  ],
  ['gone', [], { 'reads it': false, adds: false }, '"re*s it" is the title of 1 tests'],
  [
    'new',
    [],
    { ...WITH_DATA, 'reads half of it': false, 'reaps it': false },
    'of 3 tests, the list has 2',
  ],
])('a test that is %s is reported', (_, unmet, titles, sentence) => {
  const found = compareSkipped(LIST, unmet, run('a.test.ts', titles))
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(/^a\.test\.ts: /)
  expect(found[0]).toContain(sentence)
})

test('a file that did not run is not checked', () => {
  expect(compareSkipped(LIST, ['../data', 'browser'], run('c.test.ts', { adds: false }))).toEqual(
    [],
  )
})

test('a need is a path from the root, a program, or a system', () => {
  const list = {
    'package.json': {},
    './package.json': {},
    '../nowhere/at/all': {},
    node: {},
    'no-such-program': {},
    'a document that is not silent': {},
  }
  expect(unmetNeeds(list, packageRoot())).toEqual([
    'package.json',
    '../nowhere/at/all',
    'no-such-program',
    'a document that is not silent',
  ])
})

test('every file of the committed list exists', () => {
  const list = loadSkipList(packageRoot())
  const files = Object.values(list).flatMap((titles) => Object.keys(titles))
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter((file) => !existsSync(join(packageRoot(), file)))).toEqual([])
})
