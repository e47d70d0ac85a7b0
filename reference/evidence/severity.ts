import type { Finding } from './findings.ts'

/** Severity labels, rising; the numeric form of a label is its place, `info` being 0. */
export const SEVERITY_LABELS: readonly string[] = [
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]

/** One rule of an operator: `event_id` is a regular expression for the whole of a failure type. */
export interface SeverityRule {
  readonly event_id: string
  readonly severity_label: string
}

/** Without operator rules every failure has the highest severity. */
export const DEFAULT_SEVERITY_POLICY: readonly SeverityRule[] = [
  { event_id: '.*', severity_label: 'emergency' },
]

/** How bad an evaluation ended, as agent records show it. */
export interface Severity {
  readonly severity_level: number
  /** failure type of the first finding of that level */
  readonly last_event_id: string
}

/**
 * Level of one finding: that of the first rule that matches, and the highest for a label that does not exist, for a
 * finding that no rule matches, and for every unrecoverable one.
 *
 * @throws {SyntaxError} when a rule is no regular expression
 */
export function severityOf(
  { type, recoverable }: Finding,
  policy: readonly SeverityRule[] = DEFAULT_SEVERITY_POLICY,
  labels: readonly string[] = SEVERITY_LABELS,
): number {
  const top = labels.length - 1
  if (!recoverable) return top
  const rule = policy.find(({ event_id }) => new RegExp(`^(?:${event_id})$`, 's').test(type))
  const level = labels.indexOf(rule?.severity_label ?? '')
  return level < 0 ? top : level
}

/** The worst of some findings, the first of them where several are as bad; undefined when there are none. */
export function worstSeverity(
  findings: readonly Finding[],
  policy: readonly SeverityRule[] = DEFAULT_SEVERITY_POLICY,
  labels: readonly string[] = SEVERITY_LABELS,
): Severity | undefined {
  const levels = findings.map((each) => severityOf(each, policy, labels))
  const severity_level = Math.max(...levels)
  const first = findings[levels.indexOf(severity_level)]
  return first && { severity_level, last_event_id: first.type }
}

/** Reads the JSON list of an operator's rules; undefined if it, or an expression in it, is invalid. */
export function parseSeverityPolicy(text: string): readonly SeverityRule[] | undefined {
  try {
    const rules: unknown = JSON.parse(text)
    return Array.isArray(rules) && rules.every(isRule) ? rules : undefined
  } catch {
    return undefined
  }
}

/** @throws {SyntaxError} if the expression is invalid */
function isRule(rule: unknown): rule is SeverityRule {
  const { event_id, severity_label } = (rule ?? {}) as Partial<SeverityRule>
  if (typeof event_id !== 'string' || typeof severity_label !== 'string') return false
  return new RegExp(event_id) instanceof RegExp
}
