import { setTimeout as pause } from 'node:timers/promises'
import type { VerifierClient } from '../../conformance/client/verifier-client.ts'
import type { Room } from './room.ts'
import type { Route } from './routes/route.ts'

/** How long a service may take to come back, before it is given up. */
const BACK_WITHIN_MS = 8000
const LOOK_EVERY_MS = 200

/** How a service was found: undefined when it was as it should be, else what was wrong, and whether it came back. */
export interface Loss {
  readonly wrong: string
  readonly back: boolean
}

/** GET /version, without which nobody finds the service. */
async function versionWrong(client: Pick<VerifierClient, 'get'>): Promise<string | undefined> {
  const { status, failure } = await client.get('/version')
  // Whether a verifier has this route is left open: any answer but a fault of the server will do.
  if (status !== undefined && status < 500) return undefined
  return `GET /version: ${status === undefined ? failure : `HTTP ${status}`}`
}

/** Sends honest evidence and GET /version; a word on what was wrong. */
async function wrongNow(room: Room, route: Route): Promise<string | undefined> {
  const answer = await route
    .aim([])
    .then((shot) => route.fire(shot))
    .catch((error: Error) => ({ kind: 'refused' as const, line: error.message }))
  if (answer.kind !== 'passed') return `honest evidence on ${route.name}: ${answer.line}`
  const { pull, push } = room.verifiers
  const client = route.name.startsWith('register') ? room.registrarOf('2.5') : (pull ?? push)
  return client === undefined ? undefined : versionWrong(client)
}

/** Looks whether the next honest request is answered right; when not, waits a while whether the service comes back. */
export async function probe(room: Room, route: Route): Promise<Loss | undefined> {
  const wrong = await wrongNow(room, route)
  if (wrong === undefined || room.environment.interrupted.aborted) return undefined
  const deadline = room.environment.now() + BACK_WITHIN_MS
  while (room.environment.now() < deadline && !room.environment.interrupted.aborted) {
    await pause(LOOK_EVERY_MS)
    if ((await wrongNow(room, route)) === undefined) return { wrong, back: true }
  }
  return { wrong, back: false }
}
