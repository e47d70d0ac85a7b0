import type { CatalogueRow } from '../../catalogue/requirement.ts'
import { compareVersions } from '../../catalogue/routes/operations.ts'
import { SetupFault } from '../../input/fault.ts'
import type { EndedEarly, RunResult, ScenarioResult, Selection } from '../../report/result.ts'
import type { Scenario } from '../../scenario.ts'
import { withoutBaseline } from './baseline.ts'
import { allowancesIn } from './certification.ts'
import { judgeRun } from './judge-run.ts'
import { withoutBlocks } from './proven.ts'

/** The result of one shard, and the name under which it was given. */
export interface Shard {
  readonly name: string
  readonly result: RunResult
}

interface Part extends Shard {
  readonly selection: Selection
  readonly part: number
  readonly of: number
}

/** The Assay that merges, which judges the run again. */
export interface Judge {
  readonly assay_version: string
  readonly interface_sha256: string
  readonly scenarios: readonly Scenario[]
  readonly requirements: readonly CatalogueRow[]
}

/** The first and the last of instants. */
function spanOf(instants: readonly string[]) {
  const [first = '', ...rest] = instants.toSorted()
  return { first, last: rest.at(-1) ?? first }
}

/**
 * The result of a run from those of its shards, as if one machine had run it. Throws a {@link SetupFault} that names the
 * difference if they are not the shards of one run.
 */
export function mergeResults(given: readonly Shard[], judge: Judge): RunResult {
  const parts = given.map(partOf)
  refuseOtherRuns(parts)
  for (const part of parts) refuseOtherAssay(part, judge)
  const shards = inOrder(parts)
  const [first] = shards
  if (first === undefined) throw fault('no result was given')
  const results = shards.map(({ result }) => result)
  const { target, baseline, seed } = first.result
  const { shard: _, ...selection } = first.selection
  const ended = endedOf(shards)
  return judgeRun({
    facts: {
      ...{ target, seed, selection },
      assay_version: judge.assay_version,
      interface_sha256: judge.interface_sha256,
      started_at: spanOf(results.map((one) => one.started_at)).first,
      finished_at: spanOf(results.map((one) => one.finished_at)).last,
      setup: shards.flatMap(({ part, of, result }) =>
        result.setup.map((step) => ({ ...step, what: `shard ${part}/${of}: ${step.what}` })),
      ),
    },
    results: inPlanOrder(withoutBlocks(withoutBaseline(results.flatMap((one) => one.scenarios)))),
    ...{ scenarios: judge.scenarios, requirements: judge.requirements, ended, baseline },
    capabilities: target.capabilities ?? [],
    roles: target.roles.map(({ role }) => role),
    narrowing: selection,
    complaints: results.flatMap(({ complaints, ended_early: early }) =>
      complaints.filter((complaint) => complaint !== early?.says),
    ),
    allowances: [...new Set(results.flatMap(allowancesIn))],
  })
}

function fault(sentence: string, next = 'give the results of all shards of one run'): SetupFault {
  return new SetupFault(sentence, { next })
}

function partOf({ name, result }: Shard): Part {
  const { selection } = result
  if (selection?.shard === undefined)
    throw fault(
      `${name} is not the result of a shard`,
      'run assay with --shard 1/2 and --shard 2/2',
    )
  const [part, of] = selection.shard
  return { name, result, selection, part, of }
}

/** What must be the same in every shard. */
const SAME: readonly (readonly [what: string, of: (part: Part) => unknown])[] = [
  ['seed', ({ result }) => result.seed],
  ['number of shards', ({ of }) => of],
  ['version of Assay', ({ result }) => result.assay_version],
  ['interface document', ({ result }) => result.interface_sha256],
  ['target', ({ result }) => result.target.name],
  ['target file', ({ result }) => result.target.file],
  ['roles', ({ result }) => result.target.roles.map(({ role }) => role)],
  ['API versions', ({ result }) => result.target.versions],
  ['capabilities', ({ result }) => result.target.capabilities],
  ['dialect', ({ result }) => result.target.dialect],
  ['--only', ({ selection }) => selection.only],
  ['--exclude', ({ selection }) => selection.exclude],
  ['--role', ({ selection }) => selection.role],
  ['--version', ({ selection }) => selection.version],
  ['--since', ({ selection }) => selection.since],
]

const shown = (value: unknown): string => {
  if (value === undefined) return 'none'
  return Array.isArray(value) ? value.join(' ') || 'none' : String(value)
}

function refuseOtherRuns(parts: readonly Part[]): void {
  const [first, ...others] = parts
  for (const other of others) if (first !== undefined) refuseOtherRun(first, other)
}

function refuseOtherRun(first: Part, other: Part): void {
  const differ = `${first.name} and ${other.name} are of different runs`
  for (const [what, of] of SAME) {
    const [one, two] = [shown(of(first)), shown(of(other))]
    if (one === two) continue
    const next = what === 'seed' ? 'run every shard with the same --seed' : undefined
    throw fault(`${differ}: the ${what} is ${one}, and ${two}`, next)
  }
  const [one, two] = [first, other].map(({ result }) => JSON.stringify(result.baseline))
  if (one !== two) throw fault(`${differ}: the baseline is another one`)
}

/** A part that another Assay ran cannot be judged by the catalogue of this one. */
function refuseOtherAssay({ name, result }: Part, judge: Judge): void {
  const { assay_version: version, interface_sha256: sha256, scenarios } = result
  if (version !== judge.assay_version || sha256 !== judge.interface_sha256)
    throw fault(
      `${name} was written by Assay ${version}, and this is ${judge.assay_version} or cites another document`,
      'merge with the same Assay',
    )
  const known = new Set(judge.scenarios.map(({ id }) => id))
  const unknown = scenarios.find(({ id }) => !known.has(id))
  if (unknown !== undefined)
    throw fault(`${name} has the scenario ${unknown.id}, which this Assay does not have`)
}

/** The shards from the first to the last, each exactly once. */
function inOrder(parts: readonly Part[]): readonly Part[] {
  const of = parts[0]?.of ?? 0
  return Array.from({ length: of }, (_, at) => {
    const number = at + 1
    const [one, second] = parts.filter(({ part }) => part === number)
    if (one === undefined) throw fault(`shard ${number}/${of} is missing`)
    if (second !== undefined)
      throw fault(`shard ${number}/${of} is given twice: ${one.name} and ${second.name}`)
    return one
  })
}

/** As a plan orders them: twins before their variants, then by id and version. */
function inPlanOrder(results: readonly ScenarioResult[]): readonly ScenarioResult[] {
  const twins = new Map(results.map(({ id, variant_of: twin }) => [id, twin]))
  const depthOf = (id: string): number => {
    const twin = twins.get(id)
    return twin === undefined || !twins.has(twin) ? 0 : depthOf(twin) + 1
  }
  return results.toSorted((one, other) => {
    const byDepth = depthOf(one.id) - depthOf(other.id)
    if (byDepth !== 0) return byDepth
    if (one.id !== other.id) return one.id < other.id ? -1 : 1
    return compareVersions(one.version, other.version)
  })
}

const WORST: readonly EndedEarly['because'][] = ['died', 'interrupted', 'bail']

/** Why a shard ended early, the worst reason first. */
function endedOf(shards: readonly Part[]): EndedEarly | undefined {
  const ended = shards.flatMap(({ part, of, result: { ended_early: early } }) =>
    early === undefined
      ? []
      : { because: early.because, says: `shard ${part}/${of}: ${early.says}` },
  )
  const worst = WORST.find((because) => ended.some((one) => one.because === because))
  return worst && { because: worst, says: ended.map(({ says }) => says).join('; ') }
}
