import { expect, test } from 'vitest'
import {
  adversarialFileNames,
  loadAdversarialFile,
} from '../../../conformance/catalogue/adversarial/evidence-file.ts'
import {
  CASE_OUTCOMES,
  caseOutcomeOf,
  standingCases,
} from '../../../conformance/catalogue/adversarial/load-cases.ts'
import { presentCases } from '../../../conformance/catalogue/adversarial/present-cases.ts'
import { loadRequirements } from '../../../conformance/catalogue/load-requirements.ts'
import { discoverScenarios } from '../../../conformance/runner/discover.ts'

/** The last case about evidence and registration; later cases belong to other layers. */
const LAST_OF_EVIDENCE = 107
/** Sections that have fixtures, by the letter and number at the start of the file name. */
const SECTIONS = new Map([
  ['e1', [1, 8]],
  ['e2', [9, 25]],
  ['e3', [26, 35]],
  ['e4', [36, 44]],
  ['e5', [45, 57]],
  ['e6', [58, 74]],
  ['e7', [75, 81]],
  ['e8', [82, 101]],
  ['e9', [102, 107]],
])

const cases = standingCases()
const variants = adversarialFileNames().flatMap((file) =>
  loadAdversarialFile(file).variants.map((variant) => ({ file, ...variant })),
)

test('there are exactly 120 cases, in order', () => {
  expect(cases.map((one) => one.case)).toEqual(Array.from({ length: 120 }, (_, at) => at + 1))
})

test('no two cases have the same title', () => {
  expect(new Set(cases.map(({ title }) => title)).size).toBe(120)
})

test('a case of another layer names its layer, a case of evidence does not', () => {
  const others = cases.filter(({ elsewhere }) => elsewhere !== undefined)
  expect(others.map((one) => one.case)).toEqual(
    Array.from({ length: 120 - LAST_OF_EVIDENCE }, (_, at) => at + LAST_OF_EVIDENCE + 1),
  )
})

test('each case of evidence and registration has a variant, a fault or a scenario', () => {
  const bare = cases
    .filter((one) => one.case <= LAST_OF_EVIDENCE)
    .filter(
      ({ fixtures, faults, scenarios }) => fixtures.length + faults.length === 0 && !scenarios,
    )
  expect(bare.map((one) => one.case)).toEqual([])
})

test('every fixture variant has a case and is in the file of its section', () => {
  const lost = variants.filter(({ file, case: number }) => {
    const [first = 0, last = 0] = SECTIONS.get(file.slice(0, 2)) ?? []
    return number < first || number > last
  })
  expect(lost.map(({ id }) => id)).toEqual([])
})

test('a variant has an outcome that its case allows', () => {
  const odd = variants.filter(({ case: number, outcome }) => {
    const allowed: readonly string[] = cases[number - 1]?.outcome ?? []
    return !allowed.includes(caseOutcomeOf(outcome))
  })
  expect(odd.map(({ id, outcome }) => `${id}: ${outcome}`)).toEqual([])
})

test('a case covered by fixtures alone lists no outcome that none of them has', () => {
  const alone = cases.filter(
    ({ fixtures, faults, scenarios }) => fixtures.length > 0 && faults.length === 0 && !scenarios,
  )
  const empty = alone.flatMap(({ case: number, outcome, fixtures }) => {
    const found = fixtures.flatMap(({ variants: own }) =>
      own.map((one) => caseOutcomeOf(one.outcome)),
    )
    return outcome.filter((word) => !found.includes(word)).map((word) => `${number}: ${word}`)
  })
  expect(empty).toEqual([])
})

test('outcomes are among those defined for the table', () => {
  const known: readonly string[] = CASE_OUTCOMES
  expect(cases.flatMap(({ outcome }) => outcome).filter((one) => !known.includes(one))).toEqual([])
})

test('the scenarios that cases name exist', async () => {
  const ids = new Set((await discoverScenarios(loadRequirements())).map(({ id }) => id))
  const named = cases.flatMap(({ scenarios = [] }) => scenarios)
  expect(named.filter((id) => !ids.has(id))).toEqual([])
})

test('the printed table has a row for every case and names what covers it', () => {
  const text = presentCases(cases)
  for (const { title } of cases) expect(text).toContain(title.split(' ')[0])
  expect(text).toContain('e2-attest: 3 broken_evidence_chain')
  expect(text).toContain('120 cases: 107 of evidence and registration')
})
