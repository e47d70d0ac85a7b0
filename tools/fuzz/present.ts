import Table from 'cli-table3'
import { ownCommand } from '../../conformance/input/own-command.ts'
import { presentTimes } from '../../conformance/report/console/present-times.ts'
import { counted, shortLine, thousands } from '../../conformance/report/visible.ts'
import type { Limits } from './campaign.ts'
import { ANSWER_KINDS } from './findings/answer.ts'
import { SEVERITIES } from './findings/finding.ts'
import type { Tally } from './findings/tally.ts'
import type { WrittenFinding } from './findings/write-findings.ts'
import type { NotTaken } from './routes/route.ts'

const LONGEST_SENTENCE = 300

/** Mutants by way and answer; an answer that did not occur has no column; passed, failed and refused always have one. */
export function presentTallies(tallies: readonly Tally[]): string {
  const always = ['passed', 'failed', 'refused']
  const shown = ANSWER_KINDS.filter(
    (kind) => always.includes(kind) || tallies.some(({ counts }) => counts[kind] > 0),
  )
  const table = new Table({
    head: ['way', 'sent', 'honest', ...shown],
    colAligns: ['left', ...[...shown, '', ''].map(() => 'right' as const)],
    style: { head: [], border: [], compact: true },
  })
  for (const { route, runs, honest, counts } of tallies) {
    table.push([route, runs, honest, ...shown.map((kind) => counts[kind])])
  }
  return table.toString()
}

export function presentNotTaken({ name, why }: NotTaken): string {
  return `  ${name}  left out: ${why}`
}

/** One line on how far the campaign of a route is after so many milliseconds. */
export function presentProgress(
  { route, runs, counts }: Tally,
  limits: Limits,
  elapsed: number,
): string {
  const seen = ANSWER_KINDS.filter((kind) => counts[kind] > 0).map(
    (kind) => `${kind} ${counts[kind]}`,
  )
  const times = presentTimes(elapsed, runs / limits.runs, limits.seconds * 1000 - elapsed)
  const done = `${thousands(runs)} of ${thousands(limits.runs)}`
  const perSecond = Math.round((runs * 1000) / Math.max(1, elapsed))
  return `  ${route}  ${done}  ${times}  ${perSecond}/s  ${seen.join(', ')}`
}

/** Findings by severity, the worst first, each with the command that sends it again; `again` names the subject in options. */
export function presentFindings(
  written: readonly WrittenFinding[],
  again: string,
): readonly string[] {
  const sums = SEVERITIES.map((severity) => ({
    severity,
    count: written.filter(({ finding }) => finding.severity === severity).length,
  }))
  const found = sums
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${severity}`)
  if (found.length === 0) return ['nothing found']
  const lines = written.flatMap(({ finding, file }) => [
    '',
    `  ${finding.severity.toUpperCase()}  ${finding.route}${finding.times > 1 ? `  (${finding.times} times)` : ''}`,
    `    ${shortLine(finding.sentence, LONGEST_SENTENCE)}`,
    `    again  ${ownCommand()} fuzz${again} --replay ${file}`,
  ])
  return [`${counted(written.length, 'finding')}: ${found.join(', ')}`, ...lines]
}
