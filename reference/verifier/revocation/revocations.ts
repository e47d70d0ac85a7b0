import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { composeNotice, type Incident, type Notice } from './compose-notice.ts'
import type { Notifier } from './notifier.ts'

/** Sends notices about failed agents. */
export interface Revocations {
  /** Queues a notice; never throws and never blocks. */
  notify(incident: Incident): void
  /** Resolves when the queues are empty. */
  settled(): Promise<void>
  /** Waits for queued notices up to the grace period, then aborts; unsent notices are logged. */
  close(): Promise<void>
}

interface RevocationParts {
  readonly notifiers: readonly Notifier[]
  readonly labels: readonly string[]
  readonly clock: Clock
  readonly log: Log
  /** Milliseconds for waiting notices once the verifier stops: they are not sent after a restart. */
  readonly grace: number
  /** Milliseconds that all receivers of one notifier have for one incident; default a minute. */
  readonly deadline?: number
}

/** Incidents that may wait; further ones are only logged and in the agent's record. */
const WAITING = 1024

const DEADLINE = 60_000

/**
 * A queue for each notifier, which sends one incident at a time: however many agents fail at once, each receiver
 * has one message of this verifier before it.
 */
export function revocations(parts: RevocationParts): Revocations {
  const closing = new AbortController()
  const lines = parts.notifiers.map((notifier) => lineOf(parts, notifier, closing.signal))
  return {
    notify(incident) {
      const notice = noticeOf(parts, incident)
      for (const line of lines) line.add({ incident, notice })
    },
    settled: async () => void (await Promise.all(lines.map((line) => line.settled()))),
    async close() {
      const settled = Promise.all(lines.map((line) => line.settled()))
      await atMost(parts.grace, settled)
      closing.abort()
      await settled
      await Promise.all(parts.notifiers.map((notifier) => notifier.close()))
    },
  }
}

/** A key that cannot sign must not block other notices. */
function noticeOf({ labels, clock, log }: RevocationParts, incident: Incident): Notice {
  try {
    return composeNotice(incident, labels, clock.now())
  } catch {
    const { agent } = incident
    log.error(
      { agent_id: agent.agent_id },
      'revocation message is sent unsigned: the agent has an unusable revocation_key',
    )
    const unsigned = { ...incident, agent: { ...agent, revocation_key: '' } }
    return composeNotice(unsigned, labels, clock.now())
  }
}

interface Queued {
  readonly incident: Incident
  readonly notice: Notice
}

function lineOf(
  { log, deadline = DEADLINE }: RevocationParts,
  notifier: Notifier,
  closing: AbortSignal,
) {
  const waiting: Queued[] = []
  let going: Promise<void> | undefined
  const aboutOf = ({ incident }: Queued) => {
    return { agent_id: incident.agent.agent_id, notifier: notifier.name }
  }
  const notify = async (queued: Queued): Promise<void> => {
    const { incident, notice } = queued
    // The timer holds the controller: within `any`, the signal of `AbortSignal.timeout` may be collected and never abort.
    const overdue = new AbortController()
    const timer = setTimeout(() => overdue.abort(), deadline)
    try {
      const signal = AbortSignal.any([closing, overdue.signal])
      await Promise.race([notifier.notify(notice, incident.agent, signal), endOf(signal)])
    } catch (err) {
      log.error({ ...aboutOf(queued), err }, 'revocation message not delivered')
    } finally {
      clearTimeout(timer)
    }
  }
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (!closing.aborted) await notify(next)
      else log.error(aboutOf(next), 'revocation message not delivered before the verifier stopped')
    }
    going = undefined
  }
  return {
    add(queued: Queued): void {
      if (waiting.length >= WAITING) {
        log.error(aboutOf(queued), 'revocation message dropped: too many are waiting')
        return
      }
      waiting.push(queued)
      going ??= work()
    },
    settled: () => going ?? Promise.resolve(),
  }
}

/** A receiver cannot block the next incident. */
function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(new Error('no answer within the deadline'))
    if (signal.aborted) end()
    else signal.addEventListener('abort', end)
  })
}

/** Until it is done, or the time is over. */
function atMost(milliseconds: number, done: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    void done.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
