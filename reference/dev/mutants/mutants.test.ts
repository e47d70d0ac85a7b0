import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SHIPPED_PARTS } from '../../compose/parts.ts'
import { type CheckLists, defaultChecks, evaluate } from '../../evidence/evaluate.ts'
import { evidenceFixtures } from '../../evidence/testing/adversarial-case.ts'
import { MUTANTS, mutantParts } from './mutants.ts'

const folder = new URL('../../../conformance/catalogue/mutants/', import.meta.url)
const expectations = readdirSync(folder)
  .map((file) => readFileSync(new URL(file, folder), 'utf8'))
  .join('\n')

test('the catalogue of the harness lists every mutant, and no other', () => {
  const named = [...expectations.matchAll(/^- \{ id: ([^,]+),/gm)].map(([, id]) => id)
  expect(new Set(MUTANTS.map(({ id }) => id))).toEqual(new Set(named))
  expect(MUTANTS).toHaveLength(named.length)
})

test.each(MUTANTS)('$id is another than the shipped reference in one part', ({ id, parts }) => {
  expect(Object.keys(parts)).toHaveLength(1)
  expect(mutantParts(id)).not.toEqual(SHIPPED_PARTS)
})

test('a mutant that is not there is named', () => {
  expect(() => mutantParts('none')).toThrow('there is no mutant called none')
})

const doubled = [...expectations.matchAll(/^- \{ id: ([^,]+), doubled:/gm)].map(([, id = '']) => id)
const fixtures = evidenceFixtures()

function listsWithout(missing: string): CheckLists {
  const lists: Readonly<Record<string, readonly { readonly id: string }[]>> = { ...defaultChecks }
  const left = Object.entries(lists).map(([name, checks]) => [
    name,
    checks.filter(({ id }) => id !== missing),
  ])
  return Object.fromEntries(left)
}

const ofEvidence = new Set(
  Object.values<readonly { readonly id: string }[]>({ ...defaultChecks })
    .flat()
    .map(({ id }) => id),
)
const doubledChecks = doubled
  .map((id) => id.replace(/-not-checked$/, ''))
  .filter((id) => ofEvidence.has(id))

test.each(doubledChecks)(
  'without %s every adversarial fixture has the same outcome as with the reference',
  (id) => {
    const lists = listsWithout(id)
    const verdicts = fixtures.map((evidence) => evaluate(evidence, lists).verdict)
    expect(verdicts).toEqual(fixtures.map((evidence) => evaluate(evidence).verdict))
    expect(new Set(verdicts)).toEqual(new Set(['pass', 'fail']))
  },
)
