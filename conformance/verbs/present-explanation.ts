import {
  type CatalogueRow,
  type FieldRow,
  readingsOf,
  type Silence,
  type TestMethod,
  typesOf,
} from '../catalogue/requirement.ts'
import { SetupFault } from '../input/fault.ts'
import { nearest } from '../input/nearest.ts'
import type { Scenario } from '../scenario.ts'

type ScenarioSummary = Pick<
  Scenario,
  'id' | 'title' | 'requirements' | 'role' | 'since' | 'until' | 'needs' | 'variantOf'
>

export interface ExplanationCase {
  readonly id: string
  readonly rows: readonly CatalogueRow[]
  readonly silences: readonly Silence[]
  readonly scenarios: readonly ScenarioSummary[]
}

/**
 * The output of `assay explain ID` for a requirement, a silence of the document or a scenario.
 *
 * @throws {SetupFault} for an unknown id; names the nearest known one
 */
export function presentExplanation({ id, rows, silences, scenarios }: ExplanationCase): string {
  const row = rows.find((one) => one.id === id)
  if (row !== undefined) return finish(explainRow(row, rows, scenarios))
  const silence = silences.find((one) => one.id === id)
  if (silence !== undefined) return finish(explainSilence(silence))
  const scenario = scenarios.find((one) => one.id === id)
  if (scenario !== undefined) return finish(explainScenario(scenario, rows, scenarios))
  throw unknown(id, [...rows, ...silences, ...scenarios])
}

const METHODS: Readonly<Record<TestMethod, string>> = {
  wire: 'requests and replies',
  config: 'requests and replies, and a setting of the deployment',
  clock: 'waiting, or moving the clock of the deployment',
  'white-box': 'inspection of the component',
  'not-testable': 'none: no behaviour of a component can violate it',
}

function explainRow(
  row: CatalogueRow,
  rows: readonly CatalogueRow[],
  scenarios: readonly ScenarioSummary[],
): readonly string[] {
  return [
    ...explainStatement(row),
    line('strength', strengthOf(row)),
    line('method', METHODS[row.judged]),
    ...(row.security === true ? [line('security', 'a violation is a weakness')] : []),
    ...(row.field === undefined ? [] : [line('answer', answerOf(row.field))]),
    ...explainChecks(row, rows, scenarios),
  ]
}

function explainStatement(row: Silence): readonly string[] {
  return [
    row.id,
    `  ${row.says}.`,
    '',
    line('component', row.component),
    line('versions', rangeOf(row)),
    line('document', `${row.lines.length === 1 ? 'line' : 'lines'} ${row.lines.join(', ')}`),
  ]
}

function explainSilence(silence: Silence): readonly string[] {
  const where = silence.ambiguity === undefined ? '' : ` (${silence.ambiguity})`
  return [
    ...explainStatement(silence),
    line('strength', `the document is silent${where}; it requires nothing`),
  ]
}

function explainChecks(
  { id, judged_by: checkers, excluded }: CatalogueRow,
  rows: readonly CatalogueRow[],
  scenarios: readonly ScenarioSummary[],
): readonly string[] {
  if (checkers !== undefined) {
    const judging = rows.filter((row) => checkers.includes(row.id))
    return listed(
      'judged by',
      judging.map((row) => `${row.id}: ${row.says}`),
    )
  }
  const checking = scenarios.filter(({ requirements }) => requirements.includes(id))
  if (checking.length > 0) return listed('checked by', checking.map(presentScenario))
  return [line('checked by', `no scenario${excluded === undefined ? '' : `: ${excluded}`}`)]
}

function explainScenario(
  scenario: ScenarioSummary,
  rows: readonly CatalogueRow[],
  scenarios: readonly ScenarioSummary[],
): readonly string[] {
  const { id, title, role, needs = [], variantOf, requirements } = scenario
  const twin = scenarios.find((one) => one.id === variantOf)
  const variants = scenarios.filter((one) => one.variantOf === id)
  const covered = rows.filter((row) => requirements.includes(row.id))
  return [
    id,
    `  ${title}.`,
    '',
    line('subject', `the ${role}`),
    line('versions', rangeOf(scenario)),
    ...(needs.length === 0 ? [] : [line('needs', needs.join(', '))]),
    ...(twin === undefined ? [] : [line('twin', `${twin.id}: ${twin.title}`)]),
    ...listed(
      'variants',
      variants.map((one) => `${one.id}: ${one.title}`),
    ),
    ...listed(
      'covers',
      covered.map((row) => `${row.id}: ${row.says}`),
    ),
  ]
}

function presentScenario({ id, title, variantOf }: ScenarioSummary): string {
  return variantOf === undefined ? `${id}: ${title}` : `${id}: ${title} (twin: ${variantOf})`
}

function rangeOf({ since, until }: Pick<ScenarioSummary, 'since' | 'until'>): string {
  if (until === undefined) return `${since} and later`
  return since === until ? since : `${since} to ${until}`
}

function strengthOf(row: CatalogueRow): string {
  const { strength, ambiguity, fixed_by: source = 'the document' } = row
  const where = ambiguity === undefined ? '' : ` (${ambiguity})`
  if (strength === 'fixed') return `fixed by ${source}${where}`
  if (strength === 'silent') return `the document is silent${where}; behaviour is recorded`
  return `either${where}: ${readingsOf(row).join(', or ')}; a reply that meets none fails`
}

function answerOf({ reply, path, type, values, when }: FieldRow): string {
  const types = typesOf({ type }).join(' or ')
  const closed =
    values === undefined ? '' : `, one of ${values.map((v) => JSON.stringify(v)).join(', ')}`
  return `${path} of ${reply} is ${types}${closed}${when === undefined ? '' : `, when ${when}`}`
}

function line(what: string, text: string): string {
  return `  ${what.padEnd(10)}  ${text}`
}

function listed(what: string, texts: readonly string[]): readonly string[] {
  return texts.map((text, at) => line(at === 0 ? what : '', text))
}

function finish(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`
}

function unknown(id: string, known: readonly { readonly id: string }[]): SetupFault {
  const meant = nearest(
    id,
    known.map((one) => one.id),
  )
  return new SetupFault(`there is neither a requirement nor a scenario called ${id}`, {
    next:
      meant === undefined
        ? 'assay coverage lists the requirements, assay list the scenarios'
        : `assay explain ${meant}`,
  })
}
