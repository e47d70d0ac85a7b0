import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../input/package-root.ts'
import { selects } from '../../runner/cells/cell-selection.ts'
import type { Trial } from '../../runner/plan.ts'
import { keyOf } from './key-of.ts'
import type { Subject } from './subject.ts'

/** What a scenario does with the unchanged reference. */
export interface Covered {
  readonly trial: Trial
  readonly ms: number
  readonly reached: ReadonlySet<string>
}

/** The scenarios that pass, with the mutants whose code they reach. */
export interface CoverageMap {
  readonly covered: readonly Covered[]
  readonly atLoad: ReadonlySet<string>
  readonly atStart: ReadonlySet<string>
}

/** Milliseconds of a scenario, null if it did not pass; the mutants that it reaches; and the digest of its file. */
type Measured = readonly [ms: number | null, reached: readonly string[], source: string]

/** Receives how many scenarios have run, and of how many. */
type OnRun = (ran: number, of: number) => void

/** The file of a map; `ran` has scenarios with their versions. */
interface Kept {
  readonly atLoad: readonly string[]
  readonly atStart: readonly string[]
  readonly ran: Readonly<Record<string, Measured>>
}

/**
 * Runs scenarios once against the unchanged reference, one at a time on each subject, and maps what each of them reaches.
 * Scenarios that do not pass cannot find a mutant, and are left out. The map of a build is kept in `file`; only scenarios
 * that it does not have yet run, and those whose own file, or what they share with others, has changed since.
 */
export async function mapCoverage(
  subjects: readonly Subject[],
  file: string,
  { patterns, onRun }: { readonly patterns: string; readonly onRun: OnRun },
): Promise<CoverageMap> {
  const chosen = patterns.split(',').map((pattern) => pattern.split('@'))
  const trials = (subjects[0]?.trials ?? []).filter(({ scenario, version }) =>
    chosen.some(([id = '', only = version]) => selects(id, scenario.id) && only === version),
  )
  const known: Kept | undefined = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : undefined
  const { atLoad = [], atStart = [] } = known ?? (await subjects[0]?.coverStart()) ?? {}
  const ran = {
    ...known?.ran,
    ...(await measure(subjects, trials, { known: known?.ran ?? {}, onRun })),
  }
  writeFileSync(file, JSON.stringify({ atLoad, atStart, ran } satisfies Kept))
  const covered = trials.flatMap((trial) => {
    const [ms, reached] = ran[keyOf(trial)] ?? []
    return ms === undefined || ms === null ? [] : [{ trial, ms, reached: new Set(reached) }]
  })
  return { covered, atLoad: new Set(atLoad), atStart: new Set(atStart) }
}

async function measure(
  subjects: readonly Subject[],
  trials: readonly Trial[],
  { known, onRun }: { readonly known: Kept['ran']; readonly onRun: OnRun },
): Promise<Kept['ran']> {
  const ran: Record<string, Measured> = {}
  const sources = new Map(trials.map((trial) => [trial, digestOfSource(trial)]))
  const left = trials.filter((trial) => known[keyOf(trial)]?.[2] !== sources.get(trial))
  const next = left.values()
  await Promise.all(
    subjects.map(async (subject) => {
      for (const trial of next) {
        const { result, reached } = await subject.cover(trial)
        const ms = result.outcome === 'pass' ? Math.round(result.ms) : null
        ran[keyOf(trial)] = [ms, reached, sources.get(trial) ?? '']
        onRun(Object.keys(ran).length, left.length)
      }
    }),
  )
  return ran
}

/** Folders with code that scenarios of all areas use. */
const SHARED = [
  ...['conformance/client', 'conformance/steps', 'conformance/oracle', 'conformance/peers'],
  ...['conformance/catalogue/adversarial', 'simulator'],
]

/** A digest of the source of a scenario, and of what it shares with others of its area. */
function digestOfSource({ scenario: { source = '' } }: Trial): string {
  const [top = '', area = ''] = source.split('/')
  const text = readFileSync(join(packageRoot(), source))
  const parts = [...SHARED, join(top, area, 'support')].map(digestOfFolder)
  return createHash('sha256').update(text).update(parts.join()).digest('hex').slice(0, 16)
}

const DIGESTS = new Map<string, string>()

function digestOfFolder(folder: string): string {
  const known = DIGESTS.get(folder)
  if (known !== undefined) return known
  const path = join(packageRoot(), folder)
  const files = existsSync(path) ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : []
  const sum = createHash('sha256')
  for (const file of files.filter((name) => name.endsWith('.ts')).toSorted(compareText))
    sum.update(readFileSync(join(path, file)))
  const digest = sum.digest('hex')
  DIGESTS.set(folder, digest)
  return digest
}

const compareText = (one: string, other: string) => (one < other ? -1 : 1)
