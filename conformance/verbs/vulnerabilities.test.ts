import { expect, test } from 'vitest'
import { loadRequirements } from '../catalogue/load-requirements.ts'
import { selects } from '../runner/cells/cell-selection.ts'
import { discoverScenarios } from '../runner/discover.ts'
import { loadVulnerabilities } from './load-vulnerabilities.ts'
import { presentVulnerabilities } from './present-vulnerabilities.ts'

const rows = loadVulnerabilities()
const ids = (await discoverScenarios(loadRequirements())).map(({ id }) => id)

test('each weakness is listed once', () => {
  const names = rows.map(({ id }) => id)
  expect(names.filter((id, at) => names.indexOf(id) !== at)).toEqual([])
})

test('each weakness has scenarios, or a reason why none can detect it', () => {
  const undecided = rows.filter(
    ({ scenarios = [], not }) => scenarios.length > 0 === (not !== undefined),
  )
  expect(undecided).toEqual([])
})

test('no reason says of a role that scenarios judge, or of evidence that they send, that none can', () => {
  const stale = rows.filter(({ not = '' }) => /agent|subject|simulate|boot policy/.test(not))
  expect(stale).toEqual([])
})

test('each named scenario exists', () => {
  const named = rows.flatMap(({ scenarios = [] }) => scenarios)
  expect(named.filter((pattern) => !ids.some((id) => selects(pattern, id)))).toEqual([])
})

test('most published weaknesses can be detected over the wire', () => {
  const found = rows.filter(({ scenarios }) => scenarios !== undefined)
  expect(found.length).toBeGreaterThan(rows.length / 2)
})

test('the table shows the scenarios of each weakness, and the totals', () => {
  const text = presentVulnerabilities(rows, ids)
  for (const { id, of, says } of rows) expect(text).toContain(`${id}  ${of}: ${says}`)
  expect(text).toContain('CVE-2023-38200  registrar: one idle connection kept everybody out')
  expect(text).toMatch(/2 scenarios: http\.others-served\.\*/)
  expect(text).toContain('no scenario: nothing of it crosses the wire')
  expect(text).toContain(`${rows.length} published weaknesses: `)
})
