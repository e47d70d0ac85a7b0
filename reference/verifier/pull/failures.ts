import type { FailureKind, Finding } from '../../evidence/findings.ts'
import { finding } from '../../evidence/findings.ts'
import { worstSeverity } from '../../evidence/severity.ts'
import type { AgentLine, Failure, PollOutcome, PollParts } from './poll-parts.ts'

/** The worst of some findings, by the labels and rules of the settings. */
export function failureOf(
  { config }: { readonly config: Pick<PollParts['config'], 'severity_policy' | 'severity_labels'> },
  findings: readonly Finding[],
): Failure {
  const severity = worstSeverity(findings, config.severity_policy, config.severity_labels)
  const worst = findings.find(({ type }) => type === severity?.last_event_id)
  if (severity === undefined || worst === undefined) throw new Error('a failure without a finding')
  return { ...severity, context: JSON.stringify(worst.context) }
}

/** Whether a failure is final; polling ends with it. */
export function isTop({ config }: Pick<PollParts, 'config'>, { severity_level }: Failure): boolean {
  return severity_level >= config.severity_labels.length - 1
}

/** There is no answer, and perhaps there is one later. */
export function unanswered(
  parts: PollParts,
  line: AgentLine,
  kind: FailureKind,
  why: string,
): PollOutcome {
  line.tries += 1
  if (parts.pullRules.isTriedAgain(line.tries, parts.config)) return { event: 'unanswered', why }
  return { event: 'given_up', why, failure: failureOf(parts, [finding(kind, why)]) }
}

/** The answer cannot be used. */
export function refused(parts: PollParts, kind: FailureKind, why: string): PollOutcome {
  return { event: 'refused', why, failure: failureOf(parts, [finding(kind, why)]) }
}

/** An internal fault says nothing about the agent; a lasting one is shown to the administrator. */
export function faulted(parts: PollParts, line: AgentLine): PollOutcome {
  line.tries += 1
  if (parts.pullRules.isTriedAgain(line.tries, parts.config)) return { event: 'unanswered' }
  const why = 'the agent could not be asked'
  return {
    event: 'refused',
    why,
    failure: failureOf(parts, [finding('internal.verifier.exception', why)]),
  }
}

/** The reason for a missing answer, for logs. */
export function silence({ message }: Error): string {
  return `the agent gives no answer: ${message}`
}
