import { capture } from '../attempt/capture.ts'
import { Overslept } from '../attempt/endings.ts'
import { NO_SLOT, type Slot } from '../attempt/slots.ts'
import { shortenHeld } from '../report/json/held-values.ts'
import type { ScenarioResult, TranscriptEntry, TranscriptReference } from '../report/result.ts'
import type { TranscriptOwner } from '../report/transcripts/transcripts.ts'
import { excuse } from '../target/excuses.ts'
import type { Bench } from './bench.ts'
import type { Trial } from './plan.ts'
import { decideOutcome } from './result/outcome.ts'
import { prepareRoom, type Room } from './room.ts'
import { within } from './within.ts'

/** How often a scenario is begun that a busy machine may have spoilt. */
const ATTEMPTS = 3

/** Runs one scenario under one version and decides its outcome; never throws for anything the subject did. */
export async function runScenario(
  bench: Bench,
  trial: Trial,
  prefix: string,
  slot: Slot = NO_SLOT,
): Promise<ScenarioResult> {
  const began = bench.now()
  let seen = await attempt(bench, trial, { prefix, slot })
  for (let made = 1; made < ATTEMPTS && isSpoilt(seen); made++)
    seen = better(
      seen,
      await attempt(bench, trial, { prefix: `${prefix}again${made}`, slot, why: reasonOf(seen) }),
    )
  const { room, thrown } = seen
  const { scenario, version } = trial
  const checks = excuse(scenario.id, room.checks, bench.excuses)
  const decision = decideOutcome({ checks, observations: room.observations.length, thrown })
  // Before the checks are redacted: they may show a secret that only the transcript names as one.
  const transcript = keepOrDrop(
    bench,
    { id: scenario.id, version, outcome: decision.outcome },
    room.transcript.entries,
  )
  const result = bench.redactor.scenario({
    ...headOf(trial),
    ...decision,
    version,
    ms: bench.now() - began,
    checks,
    observations: room.observations,
    transcript,
    repeat: bench.repeat(scenario.id),
  })
  return { ...result, checks: result.checks.map(shortenHeld) }
}

/** Keeps a transcript without its secrets when the run wants it; of any other only the secrets are remembered. */
function keepOrDrop(
  { transcripts, redactor }: Bench,
  owner: TranscriptOwner & Pick<ScenarioResult, 'outcome'>,
  entries: readonly TranscriptEntry[],
): TranscriptReference {
  const kept = entries.length > 0 && transcripts.wants(owner.outcome)
  if (kept) transcripts.keep(owner, entries.map(redactor.entry))
  else entries.forEach(redactor.learn)
  return { entries: entries.length, kept }
}

interface Attempt {
  readonly room: Room
  readonly thrown: unknown
}

/** The harness was late, or a clock alone says that something is wrong: a busy machine does both. */
function isSpoilt({ room, thrown }: Attempt): boolean {
  const wrong = room.checks.filter(({ ok }) => !ok)
  const late = thrown instanceof Overslept
  return wrong.every((one) => room.measured.has(one)) && (late || (wrong.length > 0 && !thrown))
}

/** Of two attempts the one that has less against the subject: what held once a busy machine can have spoilt the other time. */
function better(one: Attempt, other: Attempt): Attempt {
  return against(one) < against(other) ? one : other
}

/** How much an attempt has against the subject; one that did not come to its end has no say beside one that did. */
function against({ room, thrown }: Attempt): number {
  if (thrown !== undefined) return Number.POSITIVE_INFINITY
  return room.checks.filter(({ ok }) => !ok).length
}

/** Why a scenario is begun again, in one sentence. */
function reasonOf({ room, thrown }: Attempt): string {
  const { reason = '' } = decideOutcome({ checks: room.checks, observations: 0, thrown })
  return `begun again, as a busy machine can be the reason: ${reason}`
}

interface AttemptOptions {
  readonly prefix: string
  readonly slot: Slot
  /** Why the scenario is begun again. */
  readonly why?: string
}

async function attempt(
  bench: Bench,
  trial: Trial,
  { prefix, slot, why }: AttemptOptions,
): Promise<Attempt> {
  const stop = new AbortController()
  const running = AbortSignal.any([stop.signal, bench.interrupted])
  const room = prepareRoom(bench, trial, { prefix, slot, running })
  if (why !== undefined) room.transcript.note(why)
  const thrown = await capture(() =>
    within(bench, stop, slot, () => trial.scenario.run(room.context)),
  )
  await room.cleanUp()
  return { room, thrown }
}

/** The result of a trial that was never begun. */
export function unrunResult(
  bench: Pick<Bench, 'repeat'>,
  trial: Trial,
  decision: Pick<ScenarioResult, 'outcome' | 'reason'>,
): ScenarioResult {
  return {
    ...headOf(trial),
    ...decision,
    version: trial.version,
    ms: 0,
    checks: [],
    observations: [],
    transcript: { entries: 0, kept: false },
    repeat: bench.repeat(trial.scenario.id),
  }
}

type Head = Pick<ScenarioResult, 'id' | 'title' | 'role' | 'requirements' | 'variant_of'>

function headOf({ scenario }: Trial): Head {
  const { id, title, role, requirements, variantOf } = scenario
  return {
    id,
    title,
    role,
    requirements,
    ...(variantOf === undefined ? {} : { variant_of: variantOf }),
  }
}
