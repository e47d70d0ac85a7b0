import { setTimeout as pause } from 'node:timers/promises'
import type { CampaignContext } from './campaign-context.ts'
import type { Route } from './routes/route.ts'

/** How long a service may take to come back, before it is given up. */
const BACK_WITHIN_MS = 8000
const LOOK_EVERY_MS = 200

/** How a service was found: undefined when it was as it should be, else what was wrong, and whether it came back. */
interface Loss {
  readonly wrong: string
  readonly back: boolean
}

/** Sends honest evidence and asks for the health of the service; returns what was wrong. */
async function wrongNow(context: CampaignContext, route: Route): Promise<string | undefined> {
  const answer = await route
    .prepare([])
    .then((input) => route.send(input))
    .catch((error: Error) => ({ kind: 'refused' as const, line: error.message }))
  if (answer.kind !== 'passed') return `honest evidence on ${route.name}: ${answer.line}`
  return context.healthProblem(route)
}

/** Looks whether the next honest request is answered right; when not, waits a while whether the service comes back. */
export async function probe(context: CampaignContext, route: Route): Promise<Loss | undefined> {
  const wrong = await wrongNow(context, route)
  if (wrong === undefined || context.interrupted.aborted) return undefined
  const deadline = context.now() + BACK_WITHIN_MS
  while (context.now() < deadline && !context.interrupted.aborted) {
    await pause(LOOK_EVERY_MS)
    if ((await wrongNow(context, route)) === undefined) return { wrong, back: true }
  }
  return { wrong, back: false }
}
