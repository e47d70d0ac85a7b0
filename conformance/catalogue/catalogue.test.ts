import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { packageRoot } from '../input/package-root.ts'
import { discoverScenarios } from '../runner/discover.ts'
import { coverCatalogue, faultsOfJudgedRows } from './coverage.ts'
import { loadAmbiguityKeys, loadCatalogue } from './load-requirements.ts'
import { type CatalogueRow, CONDITIONS } from './requirement.ts'

interface CatalogueFile {
  readonly rows: readonly { readonly id: string }[]
  readonly silences?: readonly { readonly id: string }[]
}

const directory = join(packageRoot(), 'conformance', 'catalogue', 'requirements')
const files = readdirSync(directory).map((name) => [name, readFileSync(join(directory, name))])
const { rows, silences } = loadCatalogue()
const scenarios = await discoverScenarios(rows)
const coverage = coverCatalogue(rows, scenarios)
const ambiguities = loadAmbiguityKeys()
const idsOf = (some: readonly CatalogueRow[]) => some.map(({ id }) => id)

test('the catalogue has more than a thousand rows', () => {
  expect(rows.length).toBeGreaterThan(1000)
})

test('every row has a check or a reason for having none', () => {
  expect(idsOf(coverage.neither)).toEqual([])
})

test('a row that is judged by others has no check of its own, and they have checks', () => {
  expect(faultsOfJudgedRows(rows, scenarios)).toEqual([])
})

test('no row with a check has a reason for having none', () => {
  expect(idsOf(coverage.stale)).toEqual([])
})

test.each(files)('the ids of %s begin with the same word', (_name, bytes) => {
  const { rows: own, silences: left = [] } = parse(bytes?.toString() ?? '') as CatalogueFile
  expect(new Set([...own, ...left].map(({ id }) => id.split('-', 1)[0])).size).toBe(1)
})

test('each condition is used by a field', () => {
  const used = new Set(rows.map(({ field }) => field?.when))
  expect(CONDITIONS.filter((condition) => !used.has(condition))).toEqual([])
})

test('no scenario names an unknown row', () => {
  expect(coverage.unknown).toEqual([])
})

test('no two rows of a component have the same statement', () => {
  const statements = [...rows, ...silences].map(({ component, says }) => `${component}: ${says}`)
  expect(statements.filter((sentence, at) => statements.indexOf(sentence) !== at)).toEqual([])
})

test('no two field rows have the same member, condition and version', () => {
  const seen = rows.flatMap(({ field, since, until }) =>
    field === undefined
      ? []
      : [JSON.stringify([field.reply, field.path, field.type, field.when, since, until])],
  )
  expect(seen.filter((one, at) => seen.indexOf(one) !== at)).toEqual([])
})

test('no silent row is a security row, because it cannot be violated', () => {
  const silent = rows.filter(({ strength, security }) => strength === 'silent' && security)
  expect(idsOf(silent)).toEqual([])
})

test.skipIf(ambiguities === undefined)('every ambiguity is named by a row or a silence', () => {
  const named = new Set([...rows, ...silences].map(({ ambiguity }) => ambiguity))
  expect([...(ambiguities ?? [])].filter((key) => !named.has(key))).toEqual([])
})

test('a variant has the role of its twin, and only versions of its twin', () => {
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]))
  const variants = scenarios.filter(({ variantOf }) => variantOf !== undefined)
  expect(variants.length).toBeGreaterThanOrEqual(14)
  for (const { variantOf = '', role, since } of variants) {
    expect(byId.get(variantOf)?.role).toBe(role)
    expect(Number(byId.get(variantOf)?.since)).toBeLessThanOrEqual(Number(since))
  }
})

test('a variant of a scenario that runs once per major version also does', () => {
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]))
  const odd = scenarios.filter(
    ({ variantOf, perMajor }) => byId.get(variantOf ?? '')?.perMajor === true && perMajor !== true,
  )
  expect(odd.map(({ id }) => id)).toEqual([])
})
