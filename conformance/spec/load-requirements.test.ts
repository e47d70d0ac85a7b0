import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { packageRoot } from '../package-root.ts'
import { discoverScenarios } from '../runner/discover.ts'
import { loadInterfaceDocument, loadRequirements } from './load-requirements.ts'

const requirements = loadRequirements()
const scenarios = await discoverScenarios(requirements)
const directory = mkdtempSync(join(tmpdir(), 'assay-requirements-'))
const documentFile = join(packageRoot(), '..', 'shared', 'interface.md')

afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('every requirement is spoken for by a scenario', () => {
  const spoken = new Set(scenarios.flatMap((scenario) => scenario.requirements))
  expect(requirements.filter(({ id }) => !spoken.has(id)).map(({ id }) => id)).toEqual([])
})

test('a variant has the role of its twin and no version that its twin lacks', () => {
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]))
  const variants = scenarios.filter(({ variantOf }) => variantOf !== undefined)
  expect(variants.length).toBeGreaterThanOrEqual(14)
  for (const { variantOf = '', role, since } of variants) {
    expect(byId.get(variantOf)?.role).toBe(role)
    expect(Number(byId.get(variantOf)?.since)).toBeLessThanOrEqual(Number(since))
  }
})

test.skipIf(!existsSync(documentFile))(
  'the cited lines are those of the interface document at hand',
  () => {
    const text = readFileSync(documentFile)
    const { sha256, lines } = loadInterfaceDocument()
    expect(createHash('sha256').update(text).digest('hex')).toBe(sha256)
    expect(text.toString().split('\n').length - 1).toBe(lines)
  },
)

const load = (row: string) => {
  writeFileSync(join(directory, 'rows.yaml'), `component: x\nrows:\n  - ${row}\n`)
  return loadRequirements(directory)
}
const ROW = "{ id: A, since: '2.1', lines: [5], strength: fixed, says: It is so }"

test('a whole row is read', () => {
  expect(load(ROW)).toEqual([
    { id: 'A', component: 'x', since: '2.1', lines: [5], strength: 'fixed', says: 'It is so' },
  ])
})

test.each([
  ['a line behind the end of the document', ROW.replace('[5]', '[421]')],
  ['no line', ROW.replace('[5]', '[]')],
  ['an unknown strength', ROW.replace('fixed', 'must')],
  ['no sentence', ROW.replace(', says: It is so', '')],
])('a row with %s is a fault of the suite', (_what, row) => {
  expect(() => load(row)).toThrow('rows.yaml: the requirement A')
})

test('a row that stands twice is a fault of the suite', () => {
  expect(() => load(`${ROW}\n  - ${ROW}`)).toThrow('the requirement A stands twice')
})
