import type { JsonClient } from '../../http-client/json-client.ts'
import type { Notifier } from './notifier.ts'

/** What counts as taken. */
const TAKEN: readonly number[] = [200, 202]

interface WebhookParts {
  readonly client: JsonClient
  /** Path and query of the URL. */
  readonly path: string
  /** Milliseconds before try `tries`; undefined after the last try. */
  waitBefore(tries: number): number | undefined
}

/** Posts to one URL, as often as an agent would be asked. */
export function webhookNotifier({ client, path, waitBefore }: WebhookParts): Notifier {
  return {
    name: 'webhook',
    async notify(body, _, signal) {
      for (let tries = 1; ; tries++) {
        const problem = await problemOf(client, path, body)
        if (problem === undefined) return
        const wait = waitBefore(tries)
        if (wait === undefined || signal.aborted) throw new Error(problem)
        await pause(wait, signal)
      }
    },
    close: () => client.close(),
  }
}

async function problemOf(
  client: JsonClient,
  path: string,
  body: unknown,
): Promise<string | undefined> {
  try {
    const { status } = await client.ask({ method: 'POST', path, body })
    return TAKEN.includes(status) ? undefined : `the webhook answers ${status}`
  } catch (error) {
    return `the webhook gives no answer: ${(error as Error).message}`
  }
}

/** Ends early when the signal does. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })
}
