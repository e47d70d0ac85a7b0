import { applies } from '../../catalogue/routes/operations.ts'
import type { EvidenceModeName, Outcome, ScenarioResult } from '../../report/result.ts'

/** A way in which a verifier judges evidence, and the checks without which no verdict on it means anything. */
interface EvidenceMode {
  readonly mode: EvidenceModeName
  readonly versions: { readonly since: string; readonly until?: string }
  /** Sets of requirements: signature, nonce and PCR values of a quote. A check of each in one set must count. */
  readonly anyOf: readonly (readonly string[])[]
  /** What makes one of the sets run. */
  readonly add: string
}

/** The modes of a verifier, with the checks that a verdict needs. */
export const EVIDENCE_MODES: readonly EvidenceMode[] = [
  {
    mode: 'pull',
    versions: { since: '1.0', until: '2.5' },
    anyOf: [
      ['VER-PULL-BAD-SIGNATURE', 'VER-PULL-OTHER-NONCE', 'VER-PULL-PCRS-TRUE'],
      ['VER-EVIDENCE-SIGNATURE', 'VER-EVIDENCE-QUOTE-OVER-NONCE', 'VER-EVIDENCE-PCR-DIGEST'],
    ],
    add: "add '2.4' or '2.5' to versions, or pull_mode to capabilities and '2.3' to versions",
  },
  {
    mode: 'push',
    versions: { since: '3.0' },
    anyOf: [['ATT-SIGNATURE-VERIFIED', 'ATT-QUOTE-OVER-CHALLENGE', 'ATT-PCRS-COVERED']],
    add: "they need no capability, but a 2.x version under which agents are added: add '2.5' to versions",
  },
]

/** Outcomes of scenarios in which the subject was tested. */
export const TESTED: ReadonlySet<Outcome> = new Set(['pass', 'warn', 'waived', 'fail', 'hang'])

/**
 * One sentence for each mode in which the verifier was tested without the checks that {@link EVIDENCE_MODES} demands;
 * empty if the run has no verifier.
 */
export function missingEvidence(results: readonly ScenarioResult[]): readonly string[] {
  return EVIDENCE_MODES.flatMap(({ mode, versions, anyOf, add }) => {
    const all = results.filter(
      ({ role, version }) => role === 'verifier' && applies(versions, version),
    )
    const own = all.filter(({ outcome }) => TESTED.has(outcome))
    if (own.length === 0) return []
    const lacking = anyOf.map((ids) => ids.filter((id) => !counts(own, id)))
    if (lacking.some((ids) => ids.length === 0)) return []
    const named = lacking.map((ids) => ids.join(', ')).join(', nor ')
    const tested = [...new Set(own.map(({ version }) => version))].join(', ')
    const next = endedBefore(all, lacking.flat()) ?? (lacksRegistrar(results) ? REGISTER : add)
    return [
      `the verifier has no verdict in ${mode} mode (${tested}): no check of ${named} counts; ${next}`,
    ]
  })
}

const REGISTER = 'add a registrar to roles, since agents register first'

/** Names a scenario that ended before its check of one of these requirements, with the reason; undefined if none did. */
function endedBefore(
  results: readonly ScenarioResult[],
  ids: readonly string[],
): string | undefined {
  const ended = results.find(
    ({ outcome, requirements, checks }) =>
      ['blocked', 'fail', 'hang'].includes(outcome) &&
      requirements.some(
        (id) => ids.includes(id) && !checks.some(({ requirement }) => requirement === id),
      ),
  )
  return ended && `${ended.id} ended before its check: ${ended.reason}`
}

/** Whether a run has scenarios of the registrar, and none of them was tested. */
function lacksRegistrar(results: readonly ScenarioResult[]): boolean {
  const own = results.filter(({ role }) => role === 'registrar')
  return own.length > 0 && own.every(({ outcome }) => outcome === 'not-applicable')
}

/** Whether the requirement was checked and no check of it is excused; one that did not hold is a failure. */
function counts(results: readonly ScenarioResult[], id: string): boolean {
  const checks = results.flatMap((result) =>
    result.checks.filter(({ requirement }) => requirement === id),
  )
  return checks.length > 0 && checks.every(({ excused }) => excused === undefined)
}
