import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pushMachine } from '../testing/verifier/push-machine.ts'
import { agentId, askOf, benchVerifier } from './push-verifier.ts'

/** Cycles that are not looked at: a process grows until its code is compiled and its pools are filled. */
const WARM_UP = 0.2
const SAMPLES = 40
const AGENTS = 20

/** Bytes of resident memory that a cycle may leave behind. */
const LIMIT = 1024

interface Sample {
  readonly cycle: number
  readonly rss: number
}

/** Least-squares slope, in bytes a cycle. */
function slope(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [x, y] = [mean(({ cycle }) => cycle), mean(({ rss }) => rss)]
  const above = samples.reduce((sum, { cycle, rss }) => sum + (cycle - x) * (rss - y), 0)
  return above / samples.reduce((sum, { cycle }) => sum + (cycle - x) ** 2, 0)
}

/** `node --expose-gc bin/dev.js reference/dev/bench/soak.ts [cycles]`: whether push cycles leak memory; default: 10,000 cycles. */
const cycles = Number(process.argv[2] ?? 10_000)
const state = mkdtempSync(join(tmpdir(), 'assay-soak-'))
try {
  // Little evidence is kept, so that the database comes to an end of its growth as well.
  const verifier = await benchVerifier(state, 'evidence_kept=262144', 'session_lifetime=86400')
  const ask = askOf(verifier)
  const machines = Array.from({ length: AGENTS }, (_, number) => pushMachine(agentId(number)))
  for (const machine of machines) {
    await machine.enrol(ask)
    await machine.authenticate(ask)
  }
  const samples: Sample[] = []
  for (let cycle = 1; cycle <= cycles; cycle++) {
    const machine = machines[cycle % AGENTS] ?? pushMachine('')
    const begun = await machine.begin(ask)
    await machine.submit(ask, begun)
    if ((await machine.verdict(ask, begun)) !== 'pass') throw new Error('a cycle must pass')
    if (cycle % Math.ceil(cycles / SAMPLES) !== 0) continue
    globalThis.gc?.()
    samples.push({ cycle, rss: process.memoryUsage().rss })
  }
  await verifier.close()
  const counted = samples.filter(({ cycle }) => cycle > cycles * WARM_UP)
  const [bytes, first, last] = [slope(counted), counted[0]?.rss ?? 0, counted.at(-1)?.rss ?? 0]
  const mib = (value: number) => (value / 1024 / 1024).toFixed(1)
  console.log(
    `${cycles} cycles: ${bytes.toFixed(0)} bytes of RSS a cycle after the first ${cycles * WARM_UP} ` +
      `(limit ${LIMIT}); ${mib(first)} MiB, then ${mib(last)} MiB`,
  )
  if (bytes > LIMIT) process.exitCode = 1
} finally {
  rmSync(state, { recursive: true, force: true })
}
