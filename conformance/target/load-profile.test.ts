import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadForms } from '../../scenarios/push/support/load-forms.ts'
import { loadRequirements } from '../catalogue/load-requirements.ts'
import type { Requirement } from '../catalogue/requirement.ts'
import { packageRoot } from '../input/package-root.ts'
import { loadProfile, profileNames } from './load-profile.ts'

const directory = mkdtempSync(join(tmpdir(), 'assay-profiles-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const SHAPE: Requirement = {
  id: 'A-SHAPE',
  component: 'x',
  since: '2.1',
  lines: [5],
  says: 'It is so',
  strength: 'fixed',
}
const CATALOGUE: readonly Requirement[] = [SHAPE, { ...SHAPE, id: 'A-LOCK', security: true }]
const ROW = '{ requirement: A-SHAPE, what: status, received: HTTP 201, source: release notes 1 }'

const load = (row: string, name = 'known') => {
  writeFileSync(join(directory, 'known.yaml'), `name: ${name}\nrows:\n  - ${row}\n`)
  return loadProfile('known', CATALOGUE, directory)
}

const catalogue = loadRequirements()
const shipped = profileNames().map((name) => loadProfile(name, catalogue))

/** Folders with scenarios, and with the families that generate them from data. */
const sources = ['scenarios', 'scenarios/matrix/support', 'scenarios/certificates/support'].flatMap(
  (folder) =>
    readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(packageRoot(), folder, file), 'utf8')),
)

const CHECK = /check(?:Same)?\(\s*(?:'([A-Z\d-]+)'|[\w.]+),\s*(?:'([^']*)'|`([^`]*)`)/g

/** The names of all checks, and their requirement unless it comes from data. */
const checks = sources.flatMap((source) =>
  [...source.matchAll(CHECK)].map(([, requirement, text, template = '']) => ({
    requirement,
    words: text ?? new RegExp(`^${template.replaceAll(/\$\{[^}]*\}/g, '.+')}$`),
  })),
)

/** In the checks of forms, the name is the id of the form. */
const forms = Object.values(loadForms()).flat()

function isCheckName(id: string, what: string): boolean {
  const says = forms.some((row) => row.says === id && row.id === what)
  const fits = (words: string | RegExp) =>
    typeof words === 'string' ? words === what : words.test(what)
  return says || checks.some((one) => (one.requirement ?? id) === id && fits(one.words))
}

test('no shipped profile covers a security requirement', () => {
  expect(shipped.map(({ name }) => name)).toContain('keylime')
  const excused = shipped.flatMap(({ rows }) => rows.map(({ requirement }) => requirement))
  const securityRows = catalogue.filter(({ security }) => security).map(({ id }) => id)
  expect(excused.filter((id) => securityRows.includes(id))).toEqual([])
})

test.each(shipped.flatMap(({ name, rows }) => rows.map((row) => ({ name, ...row }))))(
  '$name covers $requirement with the name of an existing check: $what',
  ({ requirement, what }) => {
    const field = catalogue.find(({ id }) => id === requirement)?.field
    const isKnown = what === undefined || what === field?.path || isCheckName(requirement, what)
    expect(isKnown).toBe(true)
  },
)

test('a complete row is read', () => {
  expect(load(ROW)).toEqual({
    name: 'known',
    rows: [
      { requirement: 'A-SHAPE', what: 'status', received: 'HTTP 201', source: 'release notes 1' },
    ],
  })
})

test('a row without `what` covers every check of its requirement', () => {
  expect(load(ROW.replace(' what: status,', '')).rows[0]).not.toHaveProperty('what')
})

test.each([
  ['an unknown requirement', ROW.replace('A-SHAPE', 'A-SHAPO'), 'A-SHAPO, which is no requirement'],
  ['a security requirement', ROW.replace('A-SHAPE', 'A-LOCK'), 'a security requirement cannot be'],
  ['no requirement', ROW.replace('requirement: A-SHAPE,', ''), 'rows[0] lacks requirement'],
  ['no received value', ROW.replace('HTTP 201', "''"), 'rows[0] lacks received'],
  ['no source', ROW.replace(', source: release notes 1', ''), 'rows[0] lacks source'],
  ['an empty what', ROW.replace('status', "' '"), 'rows[0] lacks what'],
  ['a status as a number', ROW.replace('HTTP 201', '201'), 'rows[0] lacks received'],
  ['an unknown member', ROW.replace('what', 'where'), 'rows[0] has the unknown member where'],
  ['the same row twice', `${ROW}\n  - ${ROW}`, 'A-SHAPE appears twice'],
  ['no row at all', 'null', 'rows[0]'],
])('a profile with %s is rejected', (_what, row, says) => {
  expect(() => load(row)).toThrow(says)
})

test('a profile with another name than its file is rejected', () => {
  expect(() => load(ROW, 'other')).toThrow('known.yaml: its name is other')
})

test('the error for an unknown profile names the nearest one', () => {
  expect(() => loadProfile('keylme', CATALOGUE)).toThrow(
    'there is no deviation profile "keylme"; did you mean keylime?',
  )
})
