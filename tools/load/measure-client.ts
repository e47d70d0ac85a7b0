import { once } from 'node:events'
import { Agent, request } from 'node:https'
import type { Place } from '../../conformance/client/idle-peers.ts'
import { SetupFault } from '../../conformance/input/fault.ts'
import { outliveAnswer } from '../../simulator/agents/http/outlive-answer.ts'
import { type Latency, latencyOf } from './percentile.ts'

/** Latency of one client: with a new connection for each request, and over one kept connection. */
export interface Latencies {
  readonly fresh: Latency
  readonly kept: Latency
}

/** Sends GET requests for `path` one after the other, over new connections and over a kept one. */
export async function measureClient(
  place: Place,
  path: string,
  requests: number,
): Promise<Latencies> {
  return {
    fresh: await measure(place, path, requests, { keepAlive: false }),
    kept: await measure(place, path, requests, { keepAlive: true, maxSockets: 1 }),
  }
}

async function measure(
  place: Place,
  path: string,
  requests: number,
  connections: ConstructorParameters<typeof Agent>[0],
): Promise<Latency> {
  // A resumed TLS session would make new connections cheaper than the first connection of a client.
  const agent = new Agent({ ...connections, maxCachedSessions: 0 })
  try {
    await ask(place, path, agent)
    const times: number[] = []
    for (let count = 0; count < requests; count++) times.push(await ask(place, path, agent))
    return latencyOf(times)
  } finally {
    agent.destroy()
  }
}

/** The longest time of one request with its whole response. */
const WITHIN_MS = 10_000

/** Milliseconds from the connection attempt or the request to the end of the response. */
async function ask({ host, port, ca }: Place, path: string, agent: Agent): Promise<number> {
  const began = performance.now()
  const sent = request({ host, port, path, ca, agent })
  const late = new Error(`it did not end within ${WITHIN_MS / 1000} s`)
  const timer = setTimeout(() => sent.destroy(late), WITHIN_MS)
  sent.once('socket', outliveAnswer)
  sent.end()
  try {
    const [reply] = await once(sent, 'response')
    reply.resume()
    await once(reply, 'end')
  } catch (cause) {
    throw new SetupFault(`no complete response from ${host}:${port}`, {
      next: 'check that the component still runs, and read its log',
      cause,
    })
  } finally {
    clearTimeout(timer)
  }
  return performance.now() - began
}
