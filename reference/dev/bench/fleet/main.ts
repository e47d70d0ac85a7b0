import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { AgentOrder } from './order.ts'
import { presentFleet } from './present-fleet.ts'
import { runFleet } from './run-fleet.ts'

/**
 * `node bin/dev.js reference/dev/bench/fleet/main.ts [--push 200] [--pull 200] [--seconds 300] [--interval 10]`: agents of both kinds, each
 * on a virtual TPM of its own with keys on P-256, fifty in a process, against one verifier on SQLite. Prints what was
 * attested and what that cost, and fails when an interval was missed, an agent does not pass, or something did not end.
 */
const { values } = parseArgs({
  options: {
    push: { type: 'string', default: '200' },
    pull: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '300' },
    interval: { type: 'string', default: '10' },
  },
})

function whole(name: keyof typeof values, most: number): number {
  const text = values[name]
  if (/^\d{1,4}$/.test(text) && Number(text) <= most) return Number(text)
  throw new RangeError(`--${name} takes a whole number up to ${most}, not ${text}`)
}

const of = (kind: AgentOrder['kind'], count: number) =>
  Array.from({ length: count }, () => ({ kind, agentId: randomUUID() }))
const [seconds, interval] = [whole('seconds', 3600), whole('interval', 600)]
// Turn about, so that every host has both.
const [push, pull] = [of('push', whole('push', 500)), of('pull', whole('pull', 500))]
const agents = Array.from({ length: Math.max(push.length, pull.length) }, (_, at) => [
  ...push.slice(at, at + 1),
  ...pull.slice(at, at + 1),
]).flat()

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => stopping.abort(new Error(`ended by ${signal}`)))
try {
  const request = { agents, seconds, interval }
  const seen = await runFleet(request, (line) => console.log(line), stopping.signal)
  const { lines, isGood } = presentFleet(seen)
  for (const line of lines) console.log(line)
  process.exitCode = isGood ? 0 : 1
} catch (error) {
  const { aborted, reason } = stopping.signal
  console.error(`bench:fleet: ${((aborted ? reason : error) as Error).message}`)
  process.exitCode = 1
}
