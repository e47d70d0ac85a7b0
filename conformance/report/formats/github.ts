import { OUTCOME_ROWS, shownOutcomes } from '../outcomes.ts'
import { causeHead, causeTail } from '../present-causes.ts'
import { type Cause, ROLES, type RunResult, type ScenarioResult } from '../result.ts'
import { counted, shortLine, thousands, visible } from '../visible.ts'

/** The text of an annotation. GitHub reads `%`, CR and LF in it as an escape and as its end. */
export const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** A property of an annotation, which a comma or a colon would end. */
export const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

type Properties = Readonly<Record<string, string | undefined>>

const command = (name: string, properties: Properties, text: string): string => {
  const written = Object.entries(properties)
    .flatMap(([key, value]) => (value === undefined ? [] : `${key}=${escapeProperty(value)}`))
    .join(',')
  return `::${name}${written === '' ? '' : ` ${written}`}::${escapeData(visible(text))}`
}

const LONGEST = 1000

const firstOf = ({ scenarios }: RunResult, { first }: Cause): ScenarioResult | undefined =>
  scenarios.find(({ id, version }) => id === first.id && version === first.version)

const causeAnnotation = (result: RunResult, cause: Cause): string => {
  const scenario = firstOf(result, cause)
  const text = [`${shortLine(cause.says, LONGEST)} (${causeTail(cause)})`, scenario?.repeat ?? '']
  const title = `${causeHead(cause)}: ${cause.first.id} ${cause.first.version}`
  return command('error', { title, file: scenario?.source }, text.join('\n').trimEnd())
}

/** What failed as a whole. Checks that are missing are the reason only if there is no verdict. */
const runAnnotations = ({ complaints, scope, exit_code }: RunResult): readonly string[] =>
  [...complaints, ...(exit_code === 2 ? (scope?.missing ?? []) : [])].map((text) =>
    command('error', { title: 'Assay' }, shortLine(text, LONGEST)),
  )

const verdictText = ({ verdict, scope }: RunResult): string =>
  scope === undefined ? verdict : `${verdict}: ${scope.text}`

/** Expected failures, and the verdict. */
const notices = (result: RunResult): readonly string[] => {
  const { waived } = result.totals
  const expected = waived === 0 ? '' : `; ${counted(waived, 'scenario')} waived`
  return [command('notice', { title: 'Assay' }, `${verdictText(result)}${expected}`)]
}

/**
 * The workflow commands of a run: an error for each cause of failures, because GitHub shows ten of a step; one for each
 * complaint; and a notice with the verdict, or an error if nothing else is red.
 */
export const annotationsOf = (result: RunResult): readonly string[] => {
  const errors = [
    ...result.causes.map((cause) => causeAnnotation(result, cause)),
    ...runAnnotations(result),
  ]
  if (result.exit_code === 0 || errors.length > 0) return [...errors, ...notices(result)]
  return [command('error', { title: 'Assay' }, verdictText(result))]
}

/** The annotation of a run that ended without a result. */
export const errorOf = ({ message }: Error): string =>
  command('error', { title: 'Assay' }, `no verdict: ${shortLine(message, LONGEST)}`)

/** Text of a subject in Markdown, where it is neither markup nor HTML. */
export const markdown = (text: string): string =>
  shortLine(text, LONGEST).replace(/[!-/:-@[-`{-~]/g, (mark) => `\\${mark}`)

const tableOf = (result: RunResult): readonly string[] => {
  const shown = shownOutcomes(result)
  const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
  const countOf = (scenarios: readonly ScenarioResult[], name: string): string =>
    row([
      markdown(name),
      ...shown.map((one) => thousands(scenarios.filter(({ outcome }) => outcome === one).length)),
    ])
  const roles = ROLES.map(
    (role) => [role, result.scenarios.filter((one) => one.role === role)] as const,
  )
  return [
    row(['role', ...shown.map((one) => OUTCOME_ROWS[one].short)]),
    row(['---', ...shown.map(() => '---:')]),
    ...roles.filter(([, own]) => own.length > 0).map(([role, own]) => countOf(own, role)),
    countOf(result.scenarios, 'all'),
  ]
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', `### ${title}`, '', ...lines]

/** GitHub takes one mebibyte for all summaries of a step. */
const MOST_ROWS = 100

const listed = (lines: readonly string[]): readonly string[] => {
  const left = lines.length - MOST_ROWS
  const rest = left > 0 ? [`- and ${thousands(left)} more; report.html has all`] : []
  return [...lines.slice(0, MOST_ROWS).map((line) => `- ${line}`), ...rest]
}

/** The job summary in Markdown: verdict, counts, complaints, causes, and what is waived. */
export const summaryOf = (result: RunResult): string => {
  const waived = result.scenarios.filter(({ outcome }) => outcome === 'waived')
  return [
    `## Assay: ${markdown(result.target.name)}`,
    '',
    `**${result.verdict}**${result.scope === undefined ? '' : `: ${markdown(result.scope.text)}`} (exit code ${result.exit_code}, seed ${markdown(result.seed)})`,
    '',
    ...tableOf(result),
    ...section('Complaints', listed(result.complaints.map(markdown))),
    ...section('Missing', listed((result.scope?.missing ?? []).map(markdown))),
    ...section(
      'Causes of failures',
      listed(
        result.causes.map(
          (cause) =>
            `${markdown(`${causeHead(cause)}: ${cause.says}`)} (${markdown(causeTail(cause))})`,
        ),
      ),
    ),
    ...section(
      'Waived',
      listed(
        waived.map(
          (one) => `${markdown(`${one.id} ${one.version}`)}: ${markdown(one.reason ?? '')}`,
        ),
      ),
    ),
    '',
    '',
  ].join('\n')
}
