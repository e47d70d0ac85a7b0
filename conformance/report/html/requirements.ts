import { compareVersions } from '../outcomes.ts'
import type { RequirementResult, ScenarioResult } from '../result.ts'
import { counted } from '../visible.ts'
import { requirementAnchor, scenarioAnchor } from './anchor.ts'
import { type Html, html } from './escape.ts'
import type { Register } from './register.ts'
import { badge } from './shapes.ts'

const STRENGTH_WORDS: Readonly<Record<RequirementResult['strength'], string>> = {
  fixed: 'fixed',
  'two-readings': 'two readings',
  silent: 'silent',
}

/** Whether a range in words, as `2.1-2.5, 3.0`, holds the version; words that are no range hold every version. */
export const rangeHolds = (range: string, version: string): boolean => {
  const parts = [...range.matchAll(/(\d+\.\d+)(?:\s*(?:-|–|to)\s*(\d+\.\d+))?/g)]
  if (parts.length === 0) return true
  return parts.some(
    ([, from = '', to = from]) =>
      compareVersions(from, version) <= 0 && compareVersions(version, to) <= 0,
  )
}

/** The scenario to look at for a cell: one whose own check of the requirement came out as the cell says. */
const witness = (
  register: Register,
  id: string,
  version: string,
  ok: boolean,
): ScenarioResult | undefined =>
  register.roles
    .flatMap(({ scenarios }) => scenarios)
    .find(
      (one) =>
        one.version === version &&
        one.checks.some((check) => check.requirement === id && check.ok === ok),
    )

const cell = (register: Register, row: RequirementResult, version: string): Html => {
  const found = row.by_version[version]
  if (found === undefined) {
    return rangeHolds(row.versions, version)
      ? html`<td class="none"><span>not executed</span></td>`
      : html`<td class="none">–<span class="heard"> not in this version</span></td>`
  }
  const scenario = witness(register, row.id, version, found === 'pass')
  const mark = badge(found)
  return html`<td class="cell o-${found}">${
    scenario === undefined ? mark : html`<a href="#${scenarioAnchor(scenario)}">${mark}</a>`
  }</td>`
}

const linesOf = (lines: readonly number[]): string =>
  lines.length === 0 ? 'no line' : `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`

const rowOf = (register: Register, row: RequirementResult): Html => html`
<tr id="${requirementAnchor(row.id)}"><th scope="row"><span class="says">${row.says}</span>
<span class="under"><code>${row.id}</code> ${linesOf(row.lines)} <span class="range">${row.versions}</span></span></th>
<td class="strength">${STRENGTH_WORDS[row.strength]}</td>
${register.versions.map((version) => cell(register, row, version))}</tr>`

const groupOf = (
  register: Register,
  component: string,
  rows: readonly RequirementResult[],
): Html => html`<tbody><tr class="role">
<th scope="rowgroup" colspan="${register.versions.length + 2}">${component} <span class="soft">${counted(rows.length, 'requirement')}</span></th></tr>
${rows.map((row) => rowOf(register, row))}</tbody>`

const coverage = (rows: readonly RequirementResult[]): string => {
  const results = rows.map((row) => Object.values(row.by_version))
  const failed = results.filter((found) => found.includes('fail')).length
  const silent = results.filter((found) => found.length === 0).length
  return `${counted(rows.length, 'requirement')}: ${rows.length - failed - silent} held wherever executed, ${failed} did not, ${silent} not executed.`
}

/** Every requirement of the interface document with what became of it under each version. */
export const requirementsSection = (
  register: Register,
  rows: readonly RequirementResult[],
): Html => {
  const components = [...new Set(rows.map(({ component }) => component))]
  return html`<section id="requirements"><h2>Requirements</h2>
<p class="soft">${coverage(rows)} Lines are lines of the interface document named above.
A dash: the requirement is not of that version.</p>
<div class="wide" tabindex="0" role="region" aria-label="Requirements and versions"><table class="matrix requirements">
<thead><tr><th scope="col">Requirement</th><th scope="col">Document</th>${register.versions.map((version) => html`<th scope="col" class="api">${version}</th>`)}</tr></thead>
${components.map((one) =>
  groupOf(
    register,
    one,
    rows.filter((row) => row.component === one),
  ),
)}</table></div></section>`
}
