import { expect, test } from 'vitest'
import type { Fault } from '../../simulator/faults/fault.ts'
import { UEFI_FAULTS } from '../../simulator/faults/uefi/known-uefi-faults.ts'
import { EVENTLOG_MUTATIONS } from '../../tools/fuzz/mutations/eventlog.ts'
import { discoverScenarios } from '../runner/discover.ts'
import { standingCases } from './adversarial/load-cases.ts'
import { loadRequirements } from './load-requirements.ts'

/** Sections of the list of adversarial inputs: the family of their scenarios, and their first and last case. */
const SECTIONS = [
  ['adversarial.boot-log.e8', 82, 101],
  ['adversarial.boot-event.e9', 102, 107],
] as const

const CASES = SECTIONS.flatMap(([place, first, last]) =>
  Array.from({ length: last - first + 1 }, (_, at) => [first + at, place] as const),
)
const standing = standingCases()
const scenarios = discoverScenarios(loadRequirements())
const mutations = new Set(EVENTLOG_MUTATIONS.map(({ id }) => id))

/** The name of a firmware log fault without its prefix. */
function slugOf({ name }: Fault): string {
  return name.replace(/^uefi-/, '')
}

function faultsOf(number: number): readonly Fault[] {
  const names = standing.find((one) => one.case === number)?.faults ?? []
  return UEFI_FAULTS.filter(({ name, cases }) => cases[0] === number && names.includes(name))
}

test.each(CASES)('case %i has faults with distinct descriptions', (number) => {
  const faults = faultsOf(number)
  expect(faults.length).toBeGreaterThan(0)
  expect(new Set(faults.map(slugOf)).size).toBe(faults.length)
})

test.each(CASES)(
  'each fault of case %i has a scenario, and its twin has no fault',
  async (number, place) => {
    const known = new Map((await scenarios).map((one) => [one.id, one]))
    const shown = faultsOf(number).filter(({ huge }) => huge === undefined)
    const twins = shown.map((fault) => known.get(`${place}-${number}-${slugOf(fault)}`)?.variantOf)
    const baseline = `${place.replace(/\.e\d$/, '')}.golden-boot`
    expect(twins.filter((twin) => twin !== baseline)).toEqual([])
  },
)

test.each(CASES)('the fuzzer uses each fault of case %i', (number) => {
  const shown = faultsOf(number).filter(({ huge }) => huge === undefined)
  expect(shown.map(slugOf).filter((slug) => !mutations.has(`boot.${slug}`))).toEqual([])
})
