import { expect, test } from 'vitest'
import { loadCatalogue, loadInterfaceDocument } from './load-requirements.ts'
import {
  classOfText,
  type LineClasses,
  loadInterfaceLines,
  loadLineClasses,
  proveLines,
  tallyLines,
} from './prove-lines.ts'

const text = loadInterfaceLines()
const { rows, silences } = loadCatalogue()
const all = [...rows, ...silences]
const proof = proveLines(all, loadLineClasses(), loadInterfaceDocument().lines, text)

test('every line of the interface document is cited or listed as having no statement', () => {
  expect(proof.uncited).toEqual([])
  expect(proof.table).toHaveLength(420)
})

test.skipIf(text === undefined)('the list of empty lines is that of the document at hand', () => {
  expect(proof.contradicted).toEqual([])
})

test('no row cites an empty line or the header or rule of a table', () => {
  const classes = loadLineClasses()
  const empty = [classes.blank, classes['table-header'], classes['table-rule']].flat()
  expect(proof.table.filter(({ line, rows }) => empty.includes(line) && rows.length > 0)).toEqual(
    [],
  )
})

const NONE: LineClasses = {
  blank: [],
  heading: [],
  'table-rule': [],
  'table-header': [],
  introduction: [],
}
const ROWS = [{ id: 'A', lines: [1] }]

test('a line that is neither cited nor listed is uncited', () => {
  expect(proveLines(ROWS, NONE, 2).uncited).toEqual([2])
})

test('a listed line has its class', () => {
  const { table, uncited } = proveLines(ROWS, { ...NONE, blank: [2] }, 2)
  expect([table.map(({ standing }) => standing), uncited]).toEqual([['cited', 'blank'], []])
})

test('a line that is listed and cited counts as cited', () => {
  expect(proveLines(ROWS, { ...NONE, heading: [1] }, 1).table).toEqual([
    { line: 1, standing: 'cited', rows: ['A'] },
  ])
})

test.each([
  ['a sentence that is listed as blank', 'It is so', 'blank', 'a sentence'],
  ['a blank line that is listed as an introduction', '', 'introduction', 'blank'],
])('%s contradicts the text', (_what, line, listed, looks) => {
  const { contradicted } = proveLines([], { ...NONE, [listed]: [1] }, 1, [line])
  expect(contradicted).toEqual([`line 1 is listed as ${listed} and looks like ${looks}`])
})

test('a sentence that is not listed contradicts nothing', () => {
  expect(proveLines(ROWS, NONE, 1, ['It is so']).contradicted).toEqual([])
})

test('a table header is the line before the rule', () => {
  const table = ['| a | b |', '|---|---|', '| 1 | 2 |', '# c']
  expect(table.map((_, at) => classOfText(table, at))).toEqual([
    'table-header',
    'table-rule',
    undefined,
    'heading',
  ])
})

test('lines are counted by standing, the most frequent first', () => {
  expect(tallyLines(proveLines(ROWS, NONE, 3))).toEqual([
    ['uncited', 2],
    ['cited', 1],
  ])
})
