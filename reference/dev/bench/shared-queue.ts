import { shareQueue } from '../testing/verifier/shared-queue.ts'

/** `node bin/dev.js reference/dev/bench/shared-queue.ts [evaluations] [processes]`: default: 2,000 over three. */
const [evaluations = 2000, processes = 3] = process.argv.slice(2).map(Number)
const { queued, written, evaluated, shares, seconds } = await shareQueue(evaluations, processes)
console.log(
  `${queued} queued, ${processes} processes: ${evaluated} evaluated, ${written} verdicts written, ` +
    `${shares.join(' + ')} by each, in ${seconds.toFixed(1)} s`,
)
if ([queued, written, evaluated].some((each) => each !== evaluations)) process.exitCode = 1
