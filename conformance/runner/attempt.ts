import { capture } from '../attempt/capture.ts'
import type { Slot } from '../attempt/slots.ts'
import { HttpsClient } from '../client/https-client.ts'
import { SecureContexts } from '../client/tls/secure-contexts.ts'
import { Transcript } from '../client/transcript.ts'
import { standingOf } from '../report/diff/standing.ts'
import type { CheckResult, Observation } from '../report/result.ts'
import type { Context } from '../scenario.ts'
import { makeContext } from './make-context.ts'
import type { Trial } from './plan.ts'
import type { RunEnvironment } from './run-environment.ts'

/** One attempt at a scenario: its context, and what it recorded. */
export interface Attempt {
  readonly context: Context
  readonly transcript: Transcript
  readonly checks: readonly CheckResult[]
  /** The checks whose received value is a measured time. */
  readonly measured: ReadonlySet<CheckResult>
  readonly observations: readonly Observation[]
  /** When the first check of a fixed requirement did not hold; undefined if none failed. */
  failedAt(): Date | undefined
  cleanUp(): Promise<void>
}

interface AttemptOptions {
  readonly prefix: string
  readonly slot: Slot
  /** Aborts at the end of the attempt. */
  readonly running: AbortSignal
}

/** Makes the context of an attempt. */
export function prepareAttempt(
  environment: RunEnvironment,
  trial: Trial,
  { prefix, slot, running }: AttemptOptions,
): Attempt {
  const transcript = new Transcript(environment.now)
  const checks: CheckResult[] = []
  let failedAt: Date | undefined
  const measured = new Set<CheckResult>()
  const observations: Observation[] = []
  const cleanups: (() => Promise<void>)[] = []
  const { contexts, kept, pace, requestMs } = environment
  let signal = running
  const common = { transcript, signal: () => signal, pace, requestMs }
  const client = new HttpsClient({ ...common, contexts, ...(kept && { kept }) })
  let over = false
  const onCleanup = (step: () => Promise<void>): void => {
    if (over) void capture(step)
    else cleanups.push(step)
  }
  const context = makeContext(environment, trial, {
    transcript,
    record(check, byClock) {
      // At the end requests are aborted, and what the scenario still sees says nothing about the subject.
      if (running.aborted) return
      checks.push(check)
      if (byClock) measured.add(check)
      if (standingOf(check) === 'broke') failedAt ??= new Date()
    },
    observations,
    client,
    onCleanup,
    prefix,
    slot,
    clientOf: (certificate) => {
      const pinned = new SecureContexts(certificate)
      const made = new HttpsClient({ ...common, contexts: pinned, anyName: true })
      onCleanup(async () => made.close())
      return made
    },
  })
  return {
    context,
    transcript,
    checks,
    measured,
    observations,
    failedAt: () => failedAt,
    async cleanUp() {
      over = true
      // Clean-up requests need a signal of their own: that of the attempt may be aborted.
      signal = new AbortController().signal
      if (cleanups.length > 0) transcript.note('deleting what this scenario created')
      for (const step of cleanups.reverse()) {
        const failure = await capture(step)
        if (failure !== undefined) transcript.note(`clean-up: ${String(failure)}`)
      }
      client.close()
    },
  }
}
