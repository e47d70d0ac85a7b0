import type { Finding } from './findings.ts'

/**
 * One question asked of one case.
 * `id` names it in reports and mutants, `why` says what an attacker could do without the check.
 */
export interface Check<Case> {
  readonly id: string
  readonly why: string
  run(subject: Case): Finding | undefined
}

const NOTHING: readonly Finding[] = []

/**
 * Runs every check in order and collects the findings.
 * Each finding carries the id of its check. No check may rely on an earlier one: a list minus one still runs.
 */
export function runChecks<Case>(checks: readonly Check<Case>[], subject: Case): readonly Finding[] {
  let findings = NOTHING
  for (const check of checks) {
    const found = check.run(subject)
    if (found)
      findings = [...findings, { ...found, context: { ...found.context, check: check.id } }]
  }
  return findings
}
