import { certificateMaker } from '../certificates/certificate-maker.ts'
import type { Credential } from '../certificates/factory.ts'
import type { Dialect } from '../client/dialect.ts'
import { inDocumentForm } from '../client/document-form.ts'
import { HttpsClient } from '../client/https-client.ts'
import type { Speaker } from '../client/identity.ts'
import { Machines, type Workshop } from '../client/machines.ts'
import { RegistrarClient } from '../client/registrar-client.ts'
import type { SecureContexts } from '../client/secure-contexts.ts'
import { Transcript } from '../client/transcript.ts'
import { VerifierClient } from '../client/verifier-client.ts'
import { FIELDS } from '../matrix/fields-part.ts'
import type { Redactor } from '../report/redact.ts'
import type { CheckResult, Observation, ScenarioResult } from '../report/result.ts'
import type { CatalogueRow } from '../spec/requirement.ts'
import { presentDuration } from '../target/duration.ts'
import { checkFields } from '../wire/check-fields.ts'
import { otherMembers } from '../wire/other-members.ts'
import { makeCheck, type StrengthOf, show } from './check.ts'
import { deferred } from './deferred.ts'
import { DeadlinePassed, Interrupted, NotApplicable } from './endings.ts'
import { type Excuses, excuse } from './excuses.ts'
import { decideOutcome } from './outcome.ts'
import type { Trial } from './plan.ts'
import { seededRandom } from './random.ts'
import type { Context } from './scenario.ts'

const SETTLE_MS = 2000

/** What every scenario of a run works with. */
export interface Bench {
  readonly urls: Readonly<Record<'registrar' | 'verifier' | 'plainRegistrar', string | undefined>>
  readonly versions: readonly string[]
  readonly capabilities: readonly string[]
  readonly dialect: Dialect
  readonly contexts: SecureContexts
  readonly admin: Speaker
  /** The CA that client certificates come from, with its key, when the target file gives it. */
  readonly issuer?: Credential
  readonly workshop: Workshop
  readonly seed: string
  readonly scenarioMs: number
  readonly requestMs: number
  readonly verdictWithinMs: number
  readonly quoteIntervalMs: number
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
  readonly pace: () => Promise<void>
  readonly redactor: Redactor
  /** Aborts when the person ends the run. */
  readonly interrupted: AbortSignal
  /** The catalogue: strengths, and what each reply must hold. */
  readonly rows: readonly CatalogueRow[]
  readonly excuses: Excuses
  /** The command that repeats one scenario. */
  readonly repeat: (id: string) => string
}

/** Runs one scenario under one version and decides its outcome; never throws for anything the subject did. */
export async function runScenario(
  bench: Bench,
  trial: Trial,
  prefix: string,
): Promise<ScenarioResult> {
  const { scenario, version } = trial
  const began = bench.now()
  const stop = new AbortController()
  const room = prepare(bench, trial, prefix, AbortSignal.any([stop.signal, bench.interrupted]))
  const thrown = await capture(() => within(bench, stop, () => scenario.run(room.context)))
  await room.cleanUp()
  const checks = excuse(scenario.id, room.checks, bench.excuses)
  const decision = decideOutcome({ checks, observations: room.observations.length, thrown })
  return bench.redactor.scenario({
    ...headOf(trial),
    ...decision,
    version,
    ms: bench.now() - began,
    checks,
    observations: room.observations,
    transcript: room.transcript.entries,
    repeat: bench.repeat(scenario.id),
  })
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
    transcript: [],
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

interface Room {
  readonly context: Context
  readonly transcript: Transcript
  readonly checks: readonly CheckResult[]
  readonly observations: readonly Observation[]
  cleanUp(): Promise<void>
}

function prepare(bench: Bench, trial: Trial, prefix: string, running: AbortSignal): Room {
  const transcript = new Transcript(bench.now)
  const checks: CheckResult[] = []
  const observations: Observation[] = []
  const cleanups: (() => Promise<void>)[] = []
  const { contexts, pace, requestMs } = bench
  let signal = running
  const client = new HttpsClient({ contexts, transcript, signal: () => signal, pace, requestMs })
  let over = false
  const onCleanup = (step: () => Promise<void>): void => {
    if (over) void capture(step)
    else cleanups.push(step)
  }
  const context = makeContext(bench, trial, {
    transcript,
    checks,
    observations,
    client,
    onCleanup,
    prefix,
  })
  return {
    context,
    transcript,
    checks,
    observations,
    async cleanUp() {
      over = true
      // What ended the scenario must not end the requests that undo what it made.
      signal = new AbortController().signal
      if (cleanups.length > 0) transcript.note('cleaning up what this scenario made')
      for (const step of cleanups.reverse()) {
        const trouble = await capture(step)
        if (trouble !== undefined) transcript.note(`clean-up: ${String(trouble)}`)
      }
      client.close()
    },
  }
}

interface Furniture {
  readonly transcript: Transcript
  readonly checks: CheckResult[]
  readonly observations: Observation[]
  readonly client: HttpsClient
  readonly onCleanup: (step: () => Promise<void>) => void
  readonly prefix: string
}

function makeContext(bench: Bench, { scenario, version }: Trial, furniture: Furniture): Context {
  const { transcript, checks, observations, client } = furniture
  const { versions, admin, verdictWithinMs, wait, now } = bench
  const component = { client, version, versions, dialect: bench.dialect }
  const registrar = new RegistrarClient({
    ...component,
    url: bench.urls.registrar ?? '',
    plainUrl: bench.urls.plainRegistrar,
    judged: scenario.role === 'registrar',
  })
  const verifier = new VerifierClient({
    ...component,
    url: bench.urls.verifier ?? '',
    admin,
    verdictWithinMs,
    wait,
    now,
  })
  const random = seededRandom(bench.seed, `${scenario.id}@${version}`)
  const check = makeCheck(
    scenario.requirements,
    {
      lastExchange: () => transcript.lastExchange(),
      add: (result) => checks.push(result),
    },
    strengthsOf(bench.rows),
    scenario.matrix?.cells(version),
  )
  const observe: Context['observe'] = (key, what, received) => {
    observations.push({ key, what, received: show(received), at: transcript.lastExchange() })
  }
  return {
    version,
    registrar,
    verifier,
    random,
    certificates: certificateMaker({ ...bench, ca: bench.contexts.ca }),
    machines: new Machines({ ...bench, ...furniture, random, registrar, verifier }),
    check,
    checkReply: (reply, { body: said }, conditions = []) => {
      const body = inDocumentForm(said, bench.dialect)
      const asCells = scenario.matrix?.name === FIELDS
      checkFields(check, { rows: bench.rows, reply, version, body, conditions, asCells })
      const others = otherMembers(bench.rows, reply, body)
      if (others.length > 0) observe('MEMBERS', `${reply}, members that no version has`, others)
    },
    observe,
    note: (text) => transcript.note(text),
    cleanUp: (step) =>
      furniture.onCleanup(async () => {
        await step()
      }),
    elapse: async (ms, what) => {
      const most = bench.scenarioMs / 2
      if (!(ms <= most))
        throw new NotApplicable(
          `${what} ${presentDuration(ms)}, and a scenario waits for ${presentDuration(most)} at the most`,
        )
      transcript.note(`waiting for ${presentDuration(ms)}`)
      await wait(ms)
    },
    quoteIntervalMs: bench.quoteIntervalMs,
    notApplicable: (reason) => {
      throw new NotApplicable(reason)
    },
  }
}

function strengthsOf(rows: readonly CatalogueRow[]): StrengthOf {
  return (requirement) => rows.find(({ id }) => id === requirement)?.strength ?? 'fixed'
}

/**
 * Races the scenario against its deadline and against the person. When it loses, its requests are
 * aborted and it is given a moment to settle, so that what it was just making can be undone.
 */
async function within(
  bench: Bench,
  stop: AbortController,
  run: () => Promise<void>,
): Promise<void> {
  const running = run()
  const { promise: ended, cancel } = ending(bench)
  try {
    await Promise.race([running, ended])
  } catch (error) {
    stop.abort()
    await Promise.race([capture(() => running), bench.wait(SETTLE_MS)])
    throw error
  } finally {
    cancel()
  }
}

function ending(bench: Bench): { promise: Promise<never>; cancel: () => void } {
  const { promise, reject } = deferred<never>()
  const onInterrupt = () => reject(new Interrupted('the run was ended by the person'))
  const timer = setTimeout(
    () => reject(new DeadlinePassed(`it was not over after ${bench.scenarioMs} ms`)),
    bench.scenarioMs,
  )
  bench.interrupted.addEventListener('abort', onInterrupt, { once: true })
  return {
    promise,
    cancel: () => {
      clearTimeout(timer)
      bench.interrupted.removeEventListener('abort', onInterrupt)
    },
  }
}

async function capture(step: () => Promise<void>): Promise<unknown> {
  try {
    await step()
    return undefined
  } catch (thrown) {
    return thrown ?? new Error('threw nothing')
  }
}
