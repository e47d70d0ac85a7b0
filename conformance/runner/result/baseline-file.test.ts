import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { ExpectedFailure } from '../../report/result.ts'
import { loadBaseline, presentBaseline, writeBaseline } from './baseline-file.ts'

const directory = mkdtempSync(join(tmpdir(), 'assay-baseline-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const ENTRIES: readonly ExpectedFailure[] = [
  { scenario: 'a', version: '3.0', requirement: 'REQ', what: 'status: "x" # {y}', cell: 'GET, 2' },
  { scenario: 'a', version: '3.0', step: 'adding an agent\nwith a line' },
  { scenario: 'b', version: '2.5', outcome: 'hang' },
]

test.each(['one.yaml', 'one.json'])('what was written to %s is read', async (name) => {
  const baseline = { file: join(directory, name), entries: ENTRIES }
  await writeBaseline(baseline)
  expect(loadBaseline(baseline.file, false)).toEqual(baseline)
})

test('YAML has one line for each entry, and an empty baseline is a list', () => {
  const text = presentBaseline({ file: 'one.yaml', entries: ENTRIES })
  expect(
    text
      .trim()
      .split('\n')
      .filter((line) => line.startsWith('- {')),
  ).toHaveLength(3)
  expect(presentBaseline({ file: 'one.yaml', entries: [] })).toMatch(/\n\[\]\n$/)
})

const ROW = "{ scenario: a, version: '3.0', requirement: REQ, what: status }"
const load = (text: string) => {
  const file = join(directory, 'given.yaml')
  writeFileSync(file, text)
  return loadBaseline(file, false)
}

test('a complete entry is read', () => {
  expect(load(`- ${ROW}`).entries).toHaveLength(1)
})

test.each([
  ['that is not a list', ROW, 'the file is not a list of expected failures'],
  ['with an entry that is no object', '- a', 'entry 1 is not an object'],
  ['without a scenario', `- ${ROW.replace('scenario: a, ', '')}`, 'entry 1 has no scenario'],
  ['without a version', `- ${ROW.replace("version: '3.0', ", '')}`, 'entry 1 has no version'],
  ['with a number as version', `- ${ROW.replace("'3.0'", '3.0')}`, 'version is not a text'],
  ['with an unknown member', `- ${ROW.replace('what', 'who')}`, 'has the unknown member who'],
  ['without a failure', `- ${ROW.replace(', what: status', '')}`, 'not exactly one of what, step'],
  [
    'with two failures',
    `- ${ROW.replace('}', ', step: x }')}`,
    'not exactly one of what, step and outcome',
  ],
  [
    'with another outcome',
    "- { scenario: a, version: '3.0', outcome: warn }",
    'outcome is neither fail nor hang',
  ],
  ['that is not YAML', '- {', 'it is not YAML'],
])('a baseline %s is refused', (_what, text, sentence) => {
  expect(() => load(text)).toThrow(sentence)
})

test('an absent file is refused, unless it is to be written', () => {
  const file = join(directory, 'absent.yaml')
  expect(() => loadBaseline(file, false)).toThrow('cannot be read: no such file or directory')
  expect(loadBaseline(file, true)).toEqual({ file, entries: [] })
  expect(() => readFileSync(file)).toThrow('ENOENT')
})
