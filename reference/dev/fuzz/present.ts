import type { Found, FuzzReport } from './fuzz.ts'
import type { Observation } from './watch.ts'

/** One line about a session and one about each finding, worst first. */
export function presentReport(
  { target, seed, runs, ms, classes, kept, found }: FuzzReport,
  corpus: number,
  files: readonly string[],
): string {
  const rate = Math.round((runs * 1000) / Math.max(ms, 1))
  const summary = [
    `${target}: seed ${seed}`,
    `${runs} runs in ${(ms / 1000).toFixed(1)} s`,
    `${rate} a second`,
    `${classes} classes of outcomes`,
    `corpus ${corpus}`,
    `${kept.length} inputs did something new`,
    `${found.length || 'no'} finding${found.length === 1 ? '' : 's'}`,
  ]
  const lines = found.map((each, index) => presentFound(each, seed, files[index]))
  return `${[summary.join(', '), ...lines].join('\n')}\n`
}

function presentFound({ fault, lineage }: Found, seed: number, file = ''): string {
  const again = lineage.length > 0 ? ` (--seed ${seed} --run ${lineage.join(':')})` : ''
  return `  ${fault.kind}: ${fault.message}${again}\n    ${file}`
}

/** What one input led to. */
export function presentObservation({ verdict, says, faults }: Observation): string {
  const lines = [verdict, ...says, ...faults.map(({ kind, message }) => `${kind}: ${message}`)]
  return `${lines.join('\n  ')}\n`
}
