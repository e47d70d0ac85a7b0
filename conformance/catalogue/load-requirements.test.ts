import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { packageRoot } from '../input/package-root.ts'
import { loadCatalogue, loadInterfaceDocument, loadRequirements } from './load-requirements.ts'

const directory = mkdtempSync(join(tmpdir(), 'assay-requirements-'))
const documentFile = join(packageRoot(), '..', 'shared', 'interface.md')

afterAll(() => rmSync(directory, { recursive: true, force: true }))

test.skipIf(!existsSync(documentFile))(
  'the cited lines are those of the interface document at hand',
  () => {
    const text = readFileSync(documentFile)
    const { sha256, lines } = loadInterfaceDocument()
    expect(createHash('sha256').update(text).digest('hex')).toBe(sha256)
    expect(text.toString().split('\n').length - 1).toBe(lines)
  },
)

const TOP = "component: x\nsince: '2.1'\nstrength: fixed\n"
const ROW = '{ id: A, lines: [5], says: It is so }'
const FIELD = 'reply: registrar.read, path: "results.list[].b[c=d]", type: null-or-string'

const load = (row: string, top = TOP) => {
  writeFileSync(join(directory, 'rows.yaml'), `${top}rows:\n  - ${row}\n`)
  return loadRequirements(directory, new Set(['PORT']))
}
const extended = (members: string) => ROW.replace(' }', `, ${members} }`)

test('a row inherits absent members from the top of its file', () => {
  expect(load(ROW)).toEqual([
    {
      id: 'A',
      component: 'x',
      since: '2.1',
      lines: [5],
      strength: 'fixed',
      judged: 'wire',
      says: 'It is so',
    },
  ])
})

test('a member of a row overrides the top of its file', () => {
  expect(load(extended("since: '3.0', judged: clock"))).toMatchObject([
    { since: '3.0', judged: 'clock' },
  ])
})

test('a row with a field, a reason and a known ambiguity is loaded', () => {
  const members = `ambiguity: PORT, security: true, excluded: no hook, field: { ${FIELD}, values: [a, 1] }`
  expect(load(extended(members))).toMatchObject([
    { ambiguity: 'PORT', security: true, excluded: 'no hook', field: { values: ['a', 1] } },
  ])
})

test('a row may be judged by other rows', () => {
  expect(load(extended('judged_by: [B, C]'))).toMatchObject([{ judged_by: ['B', 'C'] }])
})

const loadSilence = (members: string) => {
  writeFileSync(
    join(directory, 'rows.yaml'),
    `${TOP}rows:\n  - ${ROW}\nsilences:\n  - { ${members}, says: It is not shown }\n`,
  )
  return loadCatalogue(directory, new Set(['PORT']))
}

test('silences are apart from the rows, and inherit from the top of their file', () => {
  const { rows, silences } = loadSilence('id: B, lines: [6], ambiguity: PORT')
  expect(rows.map(({ id }) => id)).toEqual(['A'])
  expect(silences).toEqual([
    {
      id: 'B',
      component: 'x',
      since: '2.1',
      lines: [6],
      ambiguity: 'PORT',
      says: 'It is not shown',
    },
  ])
})

test.each([
  ['a strength', 'id: B, lines: [6], strength: fixed', 'no member strength'],
  ['a reason', 'id: B, lines: [6], excluded: not yet', 'no member excluded'],
  ['a line after the end of the document', 'id: B, lines: [421]', 'the line 421'],
])('a silence with %s is rejected', (_what, members, sentence) => {
  expect(() => loadSilence(members)).toThrow('rows.yaml: the silence B is invalid')
  expect(() => loadSilence(members)).toThrow(sentence)
})

test('a silence with the id of a row is rejected', () => {
  expect(() => loadSilence('id: A, lines: [6]')).toThrow('duplicate requirement A')
})

test.each([
  ['a line after the end of the document', ROW.replace('[5]', '[421]'), 'the line 421'],
  ['duplicate lines', ROW.replace('[5]', '[5, 5]'), 'not in ascending order'],
  ['no line', ROW.replace('[5]', '[]'), 'cites no line'],
  ['an unknown strength', extended('strength: must'), 'the strength "must"'],
  ['an unknown version', extended("until: '2.6'"), 'the version "2.6"'],
  ['until before since', extended("until: '1.0'"), 'until is before since'],
  ['an unknown test method', extended('judged: luck'), 'the test method "luck"'],
  ['no statement', ROW.replace(', says: It is so', ''), 'lacks the member says'],
  ['an unknown member', extended('note: x'), 'no member note'],
  ['an unknown ambiguity', extended('ambiguity: NONE'), 'the key "NONE"'],
  ['readings and no key', extended('strength: either, readings: [a, b]'), 'names no ambiguity'],
  [
    'one reading',
    extended('strength: either, ambiguity: PORT, readings: [a]'),
    'two names or more',
  ],
  ['unnamed readings', extended('strength: either, ambiguity: PORT'), 'does not name its readings'],
  [
    'a specification that fixes a row of two readings',
    extended('strength: either, ambiguity: PORT, readings: [a, b], fixed_by: safety'),
    'its strength is not fixed',
  ],
  ['readings of a fixed row', extended('readings: [a, b]'), 'its strength is not either'],
  ['security that is not true', extended('security: false'), 'security must be true or absent'],
  ['an empty reason', extended('excluded: ""'), 'without a reason'],
  ['judging rows that are not a list', extended('judged_by: B'), 'not a list of ids'],
  ['judging rows and a reason', extended('judged_by: [B], excluded: x'), 'and excluded'],
  [
    'a field of an unknown reply',
    extended(`field: { ${FIELD} }`).replace('rar.read', 'rar.see'),
    'the reply "registrar.see"',
  ],
  [
    'a field of an unknown type',
    extended(`field: { ${FIELD} }`).replace('null-or', 'nil-or'),
    'the type "nil"',
  ],
  [
    'a null type',
    extended(`field: { ${FIELD} }`).replace('null-or-string', 'null'),
    'its type is not a string',
  ],
  ['an invalid path', extended(`field: { ${FIELD} }`).replace('[].', '[]..'), 'is not valid'],
  [
    'an unknown condition',
    extended(`field: { ${FIELD}, when: at night }`),
    'the condition "at night"',
  ],
  ['values that are not a list', extended(`field: { ${FIELD}, values: a }`), 'not a list'],
  ['an unknown field member', extended(`field: { ${FIELD}, min: 1 }`), 'field has no member min'],
])('a row with %s is rejected', (_what, row, sentence) => {
  expect(() => load(row)).toThrow('rows.yaml: the requirement A is invalid')
  expect(() => load(row)).toThrow(sentence)
})

test('an id in lower case is rejected', () => {
  expect(() => load(ROW.replace('A', 'a'))).toThrow('not in capitals')
})

test('a duplicate row is rejected', () => {
  expect(() => load(`${ROW}\n  - ${ROW}`)).toThrow('duplicate requirement A')
})

test.each([
  ['an unknown member', `${TOP}lines: [1]\n`, 'a file has no member lines'],
  ['no component', TOP.replace('component: x', ''), 'lacks the member component'],
])('a file with %s is rejected', (_what, top, sentence) => {
  expect(() => load(ROW, top)).toThrow(sentence)
})
