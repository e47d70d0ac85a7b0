import { presentDuration } from '../input/duration.ts'
import type { DoctorReport, Finding } from '../preflight/finding.ts'
import { visible } from '../report/visible.ts'

function wordOf({ ok, severity }: Finding): string {
  if (ok) return 'ok'
  return severity === 'fault' ? 'FAULT' : 'warn'
}

/** A finding on one line, with a second line for the next step. */
export function presentFinding(finding: Finding): string {
  const { code, what, ok, detail, next, ms } = finding
  const mark = ok ? '' : `${code}  `
  const line = `${wordOf(finding).padEnd(5)}  ${mark}${what}: ${detail}  (${presentDuration(ms)})`
  return visible(next === undefined ? line : `${line}\n       next: ${next}`)
}

function count(findings: readonly Finding[], severity: string): number {
  return findings.filter((finding) => finding.severity === severity).length
}

function plural(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** A summary of the report, in one or two lines. */
export function presentOutcome({ target, ok, findings, not_made }: DoctorReport): string {
  const warnings = count(findings, 'warning')
  const counts = `${plural(findings.length, 'check')}, ${plural(count(findings, 'fault'), 'fault')}, ${plural(warnings, 'warning')}`
  const left = not_made.map(({ check }) => check).join(', ')
  const lines = [
    `${ok ? 'ok' : 'not ok'}: ${counts}`,
    ...(left === '' ? [] : [`not checked, because of the faults: ${left}`]),
    ...(ok ? [`next: assay run --target ${target}`] : []),
  ]
  return lines.join('\n')
}
