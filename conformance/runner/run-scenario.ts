import { capture } from '../attempt/capture.ts'
import { DeadlinePassed, Overslept, PrerequisiteFailed } from '../attempt/endings.ts'
import { NO_SLOT, type Slot } from '../attempt/slots.ts'
import { watchPauses } from '../attempt/watch-pauses.ts'
import type { RecordedCalls } from '../recording/events.ts'
import { CallRecorder } from '../recording/record-calls.ts'
import { shortenHeld } from '../report/json/held-values.ts'
import { OUTCOME_ROWS } from '../report/outcomes.ts'
import { cellCommand } from '../report/red-cells.ts'
import type { CheckResult, ScenarioResult, TranscriptReference } from '../report/result.ts'
import type { TranscriptOwner } from '../report/transcripts/transcripts.ts'
import type { Context } from '../scenario.ts'
import { markAllowed } from '../target/deviations.ts'
import { type Attempt, prepareAttempt } from './attempt.ts'
import type { Trial } from './plan.ts'
import { decideCutOff } from './result/ended-early.ts'
import { decideOutcome, isStanding } from './result/outcome.ts'
import type { RunEnvironment } from './run-environment.ts'

import { within } from './within.ts'

/** Maximum number of attempts at a scenario whose measured times failed, perhaps because the machine was busy. */
const MEASURED_ATTEMPTS = 3

/** Maximum number of attempts at a scenario for which the harness was late: until one is in time, nothing is known. */
const LATE_ATTEMPTS = 6

/** After a pause of this many milliseconds a time limit may have passed although the subject was quick. */
const LONG_PAUSE_MS = 2000

/** Runs one scenario under one version and decides its outcome; never throws because of the subject. */
export async function runScenario(
  environment: RunEnvironment,
  trial: Trial,
  prefix: string,
  slot: Slot = NO_SLOT,
): Promise<ScenarioResult> {
  const began = environment.now()
  const startedAt = new Date()
  let best = await runAttempt(environment, trial, { prefix, slot })
  for (let made = 1; isDisturbed(best) && made < attemptsFor(best); made++)
    best = betterOf(
      best,
      await runAttempt(environment, trial, {
        prefix: `${prefix}again${made}`,
        slot,
        why: reasonOf(best),
      }),
    )
  const { attempt, thrown, endedAt, entriesBefore, calls } = best
  if (calls) environment.onRecorded?.({ trial, calls, checks: attempt.checks, thrown })
  const { scenario, version } = trial
  const checks = markAllowed(scenario.id, attempt.checks, environment.deviations)
  const observations = attempt.observations.length
  const own = unreached(trial, checks, thrown) ?? decideOutcome({ checks, observations, thrown })
  const decision = await withDeath(environment, best, own)
  // Before the checks are redacted: they may show a secret that only the transcript identifies as one.
  const transcript = keepOrDrop(
    environment,
    { id: scenario.id, version, outcome: decision.outcome },
    attempt.transcript,
  )
  const result = environment.redactor.scenario({
    ...headOf(trial),
    ...decision,
    ...(OUTCOME_ROWS[decision.outcome].tally === 'failed'
      ? { failed_at: (attempt.failedAt() ?? endedAt).toISOString() }
      : {}),
    version,
    started_at: startedAt.toISOString(),
    ms: environment.now() - began,
    checks,
    observations: attempt.observations,
    transcript,
    repeat: repeatOf(environment, trial),
  })
  environment.unserved.learn(result, attempt.transcript.entries, entriesBefore)
  return { ...result, checks: result.checks.map(shortenHeld) }
}

/**
 * Replaces the decision for a scenario whose last request got no answer because the subject had died. Waits until the
 * subject answers again if the scenario did not pass, so that its effect is not attributed to the next one.
 */
async function withDeath(
  environment: RunEnvironment,
  { openUrl }: AttemptEnd,
  decision: ReturnType<typeof decideOutcome>,
): Promise<typeof decision> {
  const { health, recovered, interrupted, urls } = environment
  if (isStanding(decision.outcome) || interrupted.aborted) return decision
  if (openUrl !== undefined && !health.died.aborted) await health.suspect()
  const death = health.death()
  if (death === undefined) await recovered()
  const url = death && urls[death.role]
  const isCutOff = url !== undefined && openUrl?.startsWith(url) === true
  return death !== undefined && isCutOff ? decideCutOff(death) : decision
}

/** The URL of the last request if it got no answer. */
function openUrlOf(transcript: Attempt['transcript']): string | undefined {
  const entry = transcript.entries[transcript.lastExchange()]
  return entry?.lane === 'wire' && entry.response === undefined ? entry.request.url : undefined
}

/** Keeps a redacted transcript if the run wants it; otherwise only learns its secrets. */
function keepOrDrop(
  { transcripts, redactor }: RunEnvironment,
  owner: TranscriptOwner & Pick<ScenarioResult, 'outcome'>,
  { entries, tpms }: Attempt['transcript'],
): TranscriptReference {
  const kept = entries.length > 0 && transcripts.wants(owner.outcome)
  if (kept) transcripts.keep(owner, entries.map(redactor.entry), tpms)
  else entries.forEach(redactor.learn)
  return { entries: entries.length, kept }
}

/** The decision for chosen cells to which the scenario did not get, for example because the subject lacks what they need. */
function unreached(
  { cells }: Trial,
  checks: readonly CheckResult[],
  thrown: unknown,
): ReturnType<typeof decideOutcome> | undefined {
  const isReached = checks.some(({ cell, ok }) => cell !== undefined || !ok)
  if (cells === undefined || isReached || thrown !== undefined) return undefined
  return {
    outcome: 'not-applicable',
    reason: 'the scenario did not ask the chosen cell of this subject',
  }
}

function repeatOf({ repeat }: Pick<RunEnvironment, 'repeat'>, { scenario, cells }: Trial): string {
  const [cell] = cells ?? []
  const command = repeat(scenario.id)
  return cell === undefined ? command : cellCommand({ id: scenario.id, repeat: command }, cell)
}

interface AttemptEnd {
  readonly attempt: Attempt
  readonly thrown: unknown
  /** When the scenario ended, before its clean-up. */
  readonly endedAt: Date
  /** Number of entries of its transcript before the clean-up. */
  readonly entriesBefore: number
  /** The URL of its last request, before the clean-up, if it got no answer. */
  readonly openUrl: string | undefined
  /** The longest time for which the harness did not run, in milliseconds. */
  readonly pausedMs: number
  /** What the scenario received, if the run records that. */
  readonly calls?: RecordedCalls
}

function attemptsFor({ thrown }: AttemptEnd): number {
  return thrown instanceof Overslept ? LATE_ATTEMPTS : MEASURED_ATTEMPTS
}

/** True if the harness was late or paused, or only measured times failed: a busy machine can cause each. */
function isDisturbed(end: AttemptEnd): boolean {
  const { attempt, thrown } = end
  const wrong = attempt.checks.filter(({ ok }) => !ok)
  if (isPaused(end)) return thrown === undefined ? wrong.length > 0 : isOfSubject(thrown)
  const late = thrown instanceof Overslept
  return wrong.every((one) => attempt.measured.has(one)) && (late || (wrong.length > 0 && !thrown))
}

function isPaused({ pausedMs }: AttemptEnd): boolean {
  return pausedMs > LONG_PAUSE_MS
}

/** Whether an exception says that the subject did not do something in time. */
function isOfSubject(thrown: unknown): boolean {
  return [DeadlinePassed, Overslept, PrerequisiteFailed].some((kind) => thrown instanceof kind)
}

/** An attempt without a pause, else the one with fewer failed checks, since a busy machine can cause failures and no passes. */
function betterOf(one: AttemptEnd, other: AttemptEnd): AttemptEnd {
  if (isPaused(one) !== isPaused(other)) return isPaused(one) ? other : one
  return failuresOf(one) < failuresOf(other) ? one : other
}

/** Number of failed checks of an attempt; an attempt that threw counts as the worst. */
function failuresOf({ attempt, thrown }: AttemptEnd): number {
  if (thrown !== undefined) return Number.POSITIVE_INFINITY
  return attempt.checks.filter(({ ok }) => !ok).length
}

/** Why a scenario is repeated, in one sentence. */
function reasonOf(end: AttemptEnd): string {
  const { attempt, thrown, pausedMs } = end
  const { reason = '' } = decideOutcome({ checks: attempt.checks, observations: 0, thrown })
  const cause = isPaused(end)
    ? `this machine stood still for ${(pausedMs / 1000).toFixed(1)} s`
    : 'a busy machine may be the cause'
  return `repeated, because ${cause}: ${reason}`
}

interface AttemptRequest {
  readonly prefix: string
  readonly slot: Slot
  /** Why the scenario is repeated. */
  readonly why?: string
}

async function runAttempt(
  environment: RunEnvironment,
  trial: Trial,
  { prefix, slot, why }: AttemptRequest,
): Promise<AttemptEnd> {
  const stop = new AbortController()
  const running = AbortSignal.any([stop.signal, environment.interrupted, environment.health.died])
  const attempt = prepareAttempt(environment, trial, { prefix, slot, running })
  if (why !== undefined) attempt.transcript.note(why)
  const pauses = watchPauses(environment.now)
  const recorder = environment.onRecorded && new CallRecorder()
  const run = (context: Context) => trial.scenario.run(context)
  const thrown = await capture(() =>
    within(environment, stop, slot, () =>
      recorder === undefined ? run(attempt.context) : recorder.run(attempt.context, run),
    ),
  )
  const calls = recorder?.end()
  const pausedMs = pauses.end()
  const endedAt = new Date()
  const openUrl = openUrlOf(attempt.transcript)
  const entriesBefore = attempt.transcript.entries.length
  await attempt.cleanUp()
  return { attempt, thrown, endedAt, entriesBefore, openUrl, pausedMs, ...(calls && { calls }) }
}

/** The result of a trial that did not run. */
export function unrunResult(
  environment: Pick<RunEnvironment, 'repeat'>,
  trial: Trial,
  decision: Pick<ScenarioResult, 'outcome' | 'reason' | 'blocked_by' | 'unfinished'>,
): ScenarioResult {
  return {
    ...headOf(trial),
    ...decision,
    version: trial.version,
    ms: 0,
    checks: [],
    observations: [],
    transcript: { entries: 0, kept: false },
    repeat: repeatOf(environment, trial),
  }
}

type Head = Pick<ScenarioResult, 'id' | 'title' | 'role' | 'requirements' | 'variant_of' | 'source'>

function headOf({ scenario }: Trial): Head {
  const { id, title, role, requirements, variantOf, source } = scenario
  return {
    id,
    title,
    role,
    requirements,
    ...(variantOf === undefined ? {} : { variant_of: variantOf }),
    ...(source === undefined ? {} : { source }),
  }
}
