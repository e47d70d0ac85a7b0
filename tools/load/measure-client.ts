import { once } from 'node:events'
import { Agent, request } from 'node:https'
import type { Place } from '../../conformance/client/idle-peers.ts'
import { SetupFault } from '../../conformance/input/fault.ts'
import { type Latency, latencyOf } from './percentile.ts'

/** One client's latency, each request over a connection of its own, and all over one that is kept. */
export interface Latencies {
  readonly fresh: Latency
  readonly kept: Latency
}

/** Asks for `path` so many times, one after the other, in both ways. */
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
  // A resumed session would make a fresh connection cheaper than another client's first.
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

/** Milliseconds from the request, or the connection for it, to the end of the answer. */
async function ask({ host, port, ca }: Place, path: string, agent: Agent): Promise<number> {
  const began = performance.now()
  const asked = request({ host, port, path, ca, agent })
  asked.end()
  try {
    const [reply] = await once(asked, 'response')
    reply.resume()
    await once(reply, 'end')
  } catch (cause) {
    throw new SetupFault(`the client that is measured got no answer from ${host}:${port}`, {
      next: 'see whether the component is still there, and read its log',
      cause,
    })
  }
  return performance.now() - began
}
