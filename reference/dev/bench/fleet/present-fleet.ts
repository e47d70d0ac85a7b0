import Table from 'cli-table3'
import { slopePerMinute } from './process-cost.ts'
import { type FleetSeen, PARTS, type Part } from './run-fleet.ts'

/** The results as text, and whether they are within the limits. */
interface FleetVerdict {
  readonly lines: readonly string[]
  readonly isGood: boolean
}

/** What grows by less than this part of itself in a minute does not grow. */
const FLAT = 0.05
/** In a short run memory figures mostly show the garbage collector. */
const LONG_ENOUGH_MS = 240_000
const MIB = 1024 * 1024

const mib = (bytes: number): string => (bytes / MIB).toFixed(bytes < 10 * MIB ? 2 : 0)

export function presentFleet(seen: FleetSeen): FleetVerdict {
  const { request, passing, troubles, left, verified, ms } = seen
  const growing = ms < LONG_ENOUGH_MS ? [] : PARTS.filter((part) => !isFlat(seen, part))
  const missed = seen.counts.push.missed + seen.counts.pull.missed
  // One of each agent may be in hand at the end.
  const unverified = verified.answered - verified.counted > seen.counts.pull.agents
  const wrong = [
    ...(missed === 0 ? [] : [`${missed} intervals were missed`]),
    ...(passing === request.agents.length
      ? []
      : [`${request.agents.length - passing} agents do not pass`]),
    ...(unverified ? [`of ${verified.answered} quotes ${verified.counted} were verified`] : []),
    ...(left.length === 0 ? [] : [`${left.length} processes did not end: ${left.join(', ')}`]),
    ...growing.map((part) => `the memory of ${part} grows`),
  ]
  return {
    isGood: wrong.length === 0,
    lines: [
      `${(ms / 1000).toFixed(0)} s at an interval of ${request.interval} s; ${passing} of ${request.agents.length} agents pass`,
      attestationTable(seen),
      costTable(seen),
      ...troubles.slice(0, 10).map((trouble) => `trouble: ${trouble}`),
      ...(troubles.length > 10 ? [`trouble: ${troubles.length - 10} more`] : []),
      wrong.length === 0 ? 'no interval was missed, and everything ended' : wrong.join('; '),
    ],
  }
}

function attestationTable({ counts, ms }: FleetSeen): string {
  const table = new Table({
    head: [
      'agents',
      'number',
      'attestations',
      'a second',
      'missed',
      'longest wait ms',
      'p50 ms',
      'p95 ms',
    ],
    style: { head: [], border: [], compact: true },
  })
  for (const kind of ['push', 'pull'] as const) {
    const { agents, attestations, missed, longest, p50, p95 } = counts[kind]
    const rate = ((1000 * attestations) / ms).toFixed(1)
    table.push([kind, agents, attestations, rate, missed, longest, p50, p95])
  }
  return table.toString()
}

function costTable(seen: FleetSeen): string {
  const { costs, counts, ms } = seen
  const [first, last] = costs
  const attestations = counts.push.attestations + counts.pull.attestations
  const table = new Table({
    head: [
      'processes',
      'CPU ms an attestation',
      'of one core',
      'MiB at first',
      'at last',
      'MiB a minute, second half',
    ],
    style: { head: [], border: [], compact: true },
  })
  for (const part of PARTS) {
    const cpu = last[part].cpu - first[part].cpu
    table.push([
      part,
      (cpu / Math.max(1, attestations)).toFixed(2),
      `${((100 * cpu) / ms).toFixed(1)} %`,
      mib(first[part].rss),
      mib(last[part].rss),
      (growth(seen, part) / MIB).toFixed(2),
    ])
  }
  return table.toString()
}

/** Bytes a minute in the second half: state per agent exists early, so later growth is a leak. */
function growth({ looks }: FleetSeen, part: Part): number {
  const late = looks.slice(looks.length / 2)
  return slopePerMinute(late.map(({ at, costs }) => ({ at, value: costs[part].rss })))
}

function isFlat(seen: FleetSeen, part: Part): boolean {
  return growth(seen, part) <= FLAT * seen.costs[1][part].rss
}
