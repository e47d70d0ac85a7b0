/**
 * The result of a run as data: the source of the terminal table, `result.json`, JUnit and HTML. Members are
 * snake_case because this object *is* the published JSON (`reports/schema/result.schema.json`).
 */

import type { MatrixResult, RequirementResult, Strength } from './requirement-result.ts'

export const OUTCOMES = [
  'pass',
  'warn',
  'observed',
  'fail',
  'hang',
  'blocked',
  'waived',
  'not-applicable',
  'skipped',
  'harness-fault',
] as const

/**
 * - `pass`: every check held, and there was at least one.
 * - `warn`: every check on a fixed row held; one on a row with two readings did not, and is recorded.
 * - `observed`: behaviour where the document is silent was recorded, and there was nothing to check.
 * - `fail`: a check on a fixed row did not hold, or a step that the scenario depends on failed.
 * - `hang`: the scenario's deadline passed while it waited for the subject.
 * - `blocked`: its passing twin did not pass in this run, or nothing shows that the component works, so a pass would
 *   prove nothing.
 * - `waived`: every failed check is excused by a waiver or a deviation profile, or a baseline expects the failure.
 * - `not-applicable`: according to the target file or the subject, the case cannot arise.
 * - `skipped`: left out by an option of the run.
 * - `harness-fault`: Assay itself was at fault; there is no verdict.
 */
export type Outcome = (typeof OUTCOMES)[number]

/** The roles of the interface that a run can test, as a target file names them. */
export const ROLES = [
  'registrar',
  'verifier',
  'pull_agent',
  'push_agent',
  'tenant',
  'tenant_web',
] as const
export type Role = (typeof ROLES)[number]

export interface CheckResult {
  /** Id of the requirement row that this check covers, e.g. `VPUSH-EVALUATION-FAIL`. */
  readonly requirement: string
  /** What is checked, e.g. `failure_reason`. */
  readonly what: string
  /** Complete if the check did not hold; otherwise cut to about 1,000 characters, with the length noted. */
  readonly expected: string
  readonly received: string
  readonly ok: boolean
  /** The cell of the scenario's matrix that it fills. */
  readonly cell?: string
  /** Strength of the requirement row; absent when it is `fixed`. `two-readings`: results of older releases. */
  readonly strength?: Strength | 'two-readings'
  /** Which reading of an ambiguous requirement the received value meets. */
  readonly reading?: string
  /** Why a failed check does not count: the reason of the waiver or the profile. */
  readonly excused?: string
  /** Index into the scenario's transcript, kept or not, of the last exchange before the check; -1 without one. */
  readonly at: number
}

/** A step that a scenario needs, such as adding an agent, and that failed. */
export interface FailedStep {
  /** The requirement that the subject violated; absent if the document requires nothing of the step. */
  readonly requirement?: string
  readonly what: string
  readonly expected: string
  readonly received: string
}

/** An operation that the subject answered with success in no scenario of the run. */
export interface UnservedOperation {
  /** Method and path, and whose: `GET /agents/{agent_id} of the verifier`. */
  readonly operation: string
  /** The answer in this scenario. */
  readonly answer: string
}

/** A scenario under one version. */
export interface RunOf {
  readonly id: string
  readonly version: string
}

/**
 * The passing twin that did not pass, or that twin's own if it was blocked itself; or the first scenario that would
 * show that the component works, and did not pass.
 */
export interface Blocker extends RunOf {
  readonly outcome: Outcome
  readonly reason: string
}

/** What several scenarios failed for, in the order of their first failures. */
export interface Cause {
  /** One sentence. */
  readonly says: string
  /** Whether a step that the scenarios need failed, and not one of their checks. */
  readonly step: boolean
  readonly requirement?: string
  /** The first failure in time; `at` is absent in results of earlier versions of Assay. */
  readonly first: RunOf & { readonly at?: string }
  /** The scenarios that failed for it, the first one included. */
  readonly failed: readonly RunOf[]
  /** The scenarios that were blocked by one of them. */
  readonly blocked: readonly RunOf[]
}

/** A failure that a baseline expects: one of `what` (a check), `step` and `outcome`. */
export interface ExpectedFailure {
  readonly scenario: string
  readonly version: string
  readonly requirement?: string
  /** The name of the check. */
  readonly what?: string
  readonly cell?: string
  /** A step that the scenario needs. */
  readonly step?: string
  /** The scenario hung, or failed at nothing that has a name. */
  readonly outcome?: 'fail' | 'hang'
}

/** The failures that a run expects; a run with a baseline never conforms. */
export interface Baseline {
  readonly file: string
  readonly entries: readonly ExpectedFailure[]
}

/** Behaviour where the document is silent: recorded, never failed. */
export interface Observation {
  readonly key: string
  readonly what: string
  readonly received: string
  readonly at: number
}

/** The transcript of a result; kept entries are in `transcripts.jsonl.gz`. */
export interface TranscriptReference {
  readonly entries: number
  readonly kept: boolean
}

export interface ScenarioResult {
  readonly id: string
  readonly title: string
  readonly role: Role
  /** API version under which it ran, e.g. `3.0`. */
  readonly version: string
  readonly requirements: readonly string[]
  /** The passing scenario that this one differs from in one place. */
  readonly variant_of?: string
  /** The file of the scenario, from the root of the project; absent for one that was named by `--scenario`. */
  readonly source?: string
  readonly outcome: Outcome
  /** The outcome without the baseline, if that expects it; `outcome` is `waived`. */
  readonly expected?: Outcome
  /** One sentence: why it is not a pass. */
  readonly reason?: string
  /** The step that failed, if that decided the outcome. */
  readonly failed_step?: FailedStep
  /** The operation that it asked for before it failed, if no scenario of the run was served it. */
  readonly unserved?: UnservedOperation
  /** The instant of the first check or step that failed, if the scenario failed. */
  readonly failed_at?: string
  /** The run ended before it, or while it ran. */
  readonly unfinished?: true
  /** Absent if it did not run, and in results of older releases. */
  readonly started_at?: string
  /** Why it is blocked. */
  readonly blocked_by?: Blocker
  readonly ms: number
  readonly checks: readonly CheckResult[]
  readonly observations: readonly Observation[]
  readonly transcript: TranscriptReference
  /** The command that repeats exactly this scenario. */
  readonly repeat: string
}

export interface SetupStep {
  readonly what: string
  readonly ok: boolean
  readonly detail: string
  readonly ms: number
}

interface TargetFacts {
  readonly name: string
  readonly file: string
  /** Without a URL for roles that scenarios start by a command. */
  readonly roles: readonly { readonly role: Role; readonly url?: string }[]
  readonly versions: readonly string[]
  /** Absent in results of older releases. */
  readonly capabilities?: readonly string[]
  /** The dialect of the run, with the overridden keys. */
  readonly dialect: string
}

/** Whether this run can be certified, and every reason against it. */
export interface Certification {
  readonly possible: boolean
  readonly because: readonly string[]
  /** What a certificate would cover: the text of the scope. Absent in results of older releases. */
  readonly covers?: string
}

/**
 * - `part passed`: an option selected a part of the scenarios, and it passed; a part never conforms.
 * - `matches the baseline`: every failure is one that the baseline expects, and each of these failed; it never conforms.
 * - `no verdict`: the harness was at fault, nothing was tested, or the verifier was tested without checks of evidence.
 */
export type Verdict =
  | 'conforms'
  | 'part passed'
  | 'matches the baseline'
  | 'does not conform'
  | 'no verdict'

/** How a verifier receives evidence: it polls or is asked up to 2.5, and agents push since 3.0. */
export type EvidenceModeName = 'pull' | 'push'

/** A role, and for the verifier a mode, that was tested. */
export interface ScopePart {
  readonly role: Role
  readonly mode?: EvidenceModeName
  /** Versions under which at least one scenario ran, ascending. */
  readonly versions: readonly string[]
  /** Capabilities that left scenarios out because the target file does not list them. */
  readonly without: readonly string[]
}

/** What the verdict covers. */
export interface Scope {
  /** In one line: `registrar 2.1–3.0, verifier push 3.0 without IMA; 593 of 1,937 not applicable`. */
  readonly text: string
  readonly parts: readonly ScopePart[]
  /** Options that left scenarios out. */
  readonly narrowed: readonly string[]
  /** Why there is no verdict on the verifier: sentences with the missing checks and what to add. */
  readonly missing: readonly string[]
}

/** The options that select scenarios. */
export interface Selection {
  readonly only: readonly string[]
  readonly exclude: readonly string[]
  readonly role: readonly string[]
  readonly version: readonly string[]
  readonly since?: string
  /** Part 2 of 3. */
  readonly shard?: readonly [part: number, of: number]
  /** The profile of a certificate, whose scenarios are the whole of the run. */
  readonly profile?: string
}

/** Why a run ended before its last scenario. */
export interface EndedEarly {
  /** `bail`: after the first failure, as `--bail` asks. */
  readonly because: 'died' | 'interrupted' | 'bail'
  /** One sentence; it is also the first complaint. */
  readonly says: string
}

export interface RunResult {
  readonly schema: 'assay.result/2'
  readonly assay_version: string
  /** SHA-256 of the interface document that the requirement rows cite. */
  readonly interface_sha256: string
  readonly target: TargetFacts
  readonly seed: string
  readonly started_at: string
  readonly finished_at: string
  readonly verdict: Verdict
  readonly exit_code: 0 | 1 | 2
  readonly totals: Readonly<Record<Outcome, number>>
  /** Absent if every scenario of the plan had its turn. */
  readonly ended_early?: EndedEarly
  /** The failures by their causes, first in time first. */
  readonly causes: readonly Cause[]
  /** Problems of the run as a whole: a stale waiver, a claimed capability that no check exercised. */
  readonly complaints: readonly string[]
  readonly certification: Certification
  /** Absent in results of older releases. */
  readonly scope?: Scope
  /** Absent in results of older releases, and with `--scenario`. */
  readonly selection?: Selection
  /** Absent without a baseline. */
  readonly baseline?: Baseline
  readonly setup: readonly SetupStep[]
  readonly scenarios: readonly ScenarioResult[]
  readonly requirements: readonly RequirementResult[]
  readonly matrices: readonly MatrixResult[]
}
