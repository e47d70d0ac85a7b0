import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { surviveLateEnds } from '../../attempt/endings.ts'
import { freshSeed, seededRandom, shuffled } from '../../attempt/random.ts'
import { parseDuration } from '../../input/duration.ts'
import { packageRoot } from '../../input/package-root.ts'
import { type Console, openConsole } from '../../report/console/open-console.ts'
import { presentTimes, wholeSeconds } from '../../report/console/present-times.ts'
import { type BuiltMutant, buildMutants } from './build-mutants.ts'
import { loadFound, recordArea, recordFound } from './found.ts'
import { Judge, type Judgement, type Mutant, Spoilt } from './judge.ts'
import { judgeByVectors, VECTORS } from './judge-by-vectors.ts'
import { mapCoverage } from './map-coverage.ts'
import { presentScore } from './score.ts'
import { openCommands, openServers, type Subject } from './subject.ts'

/** Outcomes, from the best. */
const ORDER = ['caught', 'warned', 'survived', 'not reached']

/** Judgements in a file, one JSON object a line, so that a run that was ended can go on. */
class Results {
  readonly #file: string
  readonly #known = new Map<string, Judgement>()

  constructor(file: string) {
    this.#file = file
    if (!existsSync(file)) return
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      const judgement: Judgement = JSON.parse(line)
      this.#known.set(judgement.key, judgement)
    }
  }

  get(key: string): Judgement | undefined {
    return this.#known.get(key)
  }

  /** Keeps a judgement, unless an earlier one of the same mutant found more. */
  addBetter(judgement: Judgement): void {
    const known = this.#known.get(judgement.key)
    if (known !== undefined && ORDER.indexOf(known.outcome) < ORDER.indexOf(judgement.outcome))
      return
    this.#known.set(judgement.key, judgement)
    mkdirSync(dirname(this.#file), { recursive: true })
    appendFileSync(this.#file, `${JSON.stringify(judgement)}\n`)
  }
}

interface Options {
  readonly area: readonly string[]
  readonly edits: readonly string[]
  readonly commands?: true
  readonly vectors?: true
  readonly budget: string
  readonly sample?: string
  readonly seed: string
  readonly subjects: string
  readonly most: string
  readonly scenarios: string
  readonly mutants?: string
  readonly results: string
  readonly again?: true
  readonly all?: true
  readonly record?: true
  readonly verbose?: true
}

const ATTEMPTS = 3

/** A subject, and how another one is opened in its place. */
interface Place {
  subject: Subject
  readonly open: () => Promise<Subject>
}

/**
 * Judges a mutant. If the subject is spoilt afterwards, it is replaced: a scenario that fails on the new one too is left
 * out from now on, and otherwise the mutant has damaged what the servers store, and is caught.
 */
async function judgeOn(
  place: Place,
  judge: Judge,
  mutant: Mutant,
  { say, all = false }: Pick<Console, 'say'> & { readonly all?: boolean },
): Promise<Judgement> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await (all ? judge.listRed(place.subject, mutant) : judge.judge(place.subject, mutant))
    } catch (error) {
      await place.subject.close()
      place.subject = await place.open()
      if (!(error instanceof Spoilt)) {
        if (attempt === ATTEMPTS) throw error
        continue
      }
      const { outcome } = await place.subject.run(error.covered.trial)
      if (outcome === 'pass') return error.judgement
      say(`left out: ${error.message}`)
      judge.exclude(error.covered)
    }
  }
}

/** What vectors do not find, servers may, and what they do not find, agents and tenants may. */
function isLeft(
  known: Judgement | undefined,
  { again, commands, vectors }: Pick<Options, 'again' | 'commands' | 'vectors'>,
): boolean {
  if (again === true || known === undefined) return true
  if (known.by === VECTORS) return vectors !== true
  return commands === true && known.outcome !== 'caught'
}

/** What is printed of a judgement; of a mutant that was caught, only if it is asked for. */
function linesOf(
  { outcome, by = '', ran, red = {} }: Judgement,
  { key, operator, rows }: BuiltMutant,
  { verbose, all }: Options,
): readonly string[] {
  if (outcome === 'caught' && !verbose && !all) return []
  const listed = Object.entries(red).map(
    ([row, ids]) => `  ${rows?.includes(row) ? 'named' : 'also'} ${row} ${ids.join(' ')}`,
  )
  return [`${outcome} ${key} ${operator} ${by} (${ran})`, ...listed]
}

async function main(options: Options): Promise<void> {
  surviveLateEnds()
  const budget = parseDuration(options.budget)
  const until = performance.now() + budget
  const { say, does, close } = openConsole({ stream: process.stdout })
  say('building the reference with its mutants')
  const { program, mutants } = buildMutants(options)
  const results = new Results(options.results)
  const drawn = shuffled(mutants, seededRandom(options.seed, 'mutants'))
  const named = drawn.filter(
    ({ key }) => options.mutants === undefined || options.mutants.split(',').includes(key),
  )
  const chosen = named.slice(0, options.sample === undefined ? undefined : Number(options.sample))
  if (options.vectors) {
    const left = chosen.filter(({ key }) => isLeft(results.get(key), options))
    let caught = 0
    does((ms) => `vectors: ${caught} of ${left.length} mutants caught, ${wholeSeconds(ms)}`)
    await judgeByVectors(program, left, {
      ...{ until, atOnce: Number(options.subjects) },
      onJudged(judgement) {
        if (judgement.outcome === 'caught') caught += 1
        results.addBetter(judgement)
      },
    })
    close()
    return say(presentScore(chosen, (key) => results.get(key)))
  }
  const open = () => (options.commands ? openCommands(program) : openServers(program))
  does((ms) => `starting ${options.subjects} deployments, ${wholeSeconds(ms)}`)
  const subjects = await Promise.all(Array.from({ length: Number(options.subjects) }, open))
  const mapped = { ran: 0, of: 0 }
  does((ms) => {
    const { ran, of } = mapped
    return `scenarios without a mutant: ${ran} of ${of}, ${presentTimes(ms, ran / Math.max(of, 1))}`
  })
  const map = await mapCoverage(subjects, join(dirname(program), 'coverage.json'), {
    patterns: options.scenarios,
    onRun: (ran, of) => Object.assign(mapped, { ran, of }),
  })
  say(`${map.covered.length} scenarios pass; ${chosen.length} of ${mutants.length} mutants`)
  const places = subjects.map((subject): Place => ({ subject, open }))
  const closeAll = () => Promise.allSettled(places.map(({ subject }) => subject.close()))
  // What was judged is in the file of results already.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void closeAll().finally(() => process.exit(130)))
  const judge = new Judge(map, mutants, Number(options.most), loadFound())
  const left = chosen.filter(({ key }) => isLeft(results.get(key), options))
  const next = left.values()
  const counts = { judged: 0, caught: 0 }
  does((ms) => {
    const { judged, caught } = counts
    const times = presentTimes(ms, judged / left.length, until - performance.now())
    return `${judged} of ${left.length} mutants, ${caught} caught, ${times}`
  })
  await Promise.all(
    places.map(async (place) => {
      for (const mutant of next) {
        if (performance.now() > until) break
        const judgement = await judgeOn(place, judge, mutant, { say, all: options.all === true })
        results.addBetter(judgement)
        counts.judged += 1
        if (judgement.outcome === 'caught') counts.caught += 1
        for (const line of linesOf(judgement, mutant, options)) say(line)
      }
    }),
  )
  const [{ subject } = {}] = places
  const [area] = options.area
  if (options.record && area !== undefined) recordArea(area, mutants, (key) => results.get(key))
  else if (options.record && subject) await recordFound(subject, mutants, (key) => results.get(key))
  await closeAll()
  close()
  say(presentScore(chosen, (key) => results.get(key)))
}

function readEditsName(name: string, before: readonly string[]): readonly string[] {
  const edits = join('reference', 'dev', 'mutation', 'edits')
  if (existsSync(join(packageRoot(), edits, `${name}.yaml`))) return [...before, name]
  throw new InvalidArgumentError(`there is no ${join(edits, `${name}.yaml`)}`)
}

function readArea(area: string, before: readonly string[]): readonly string[] {
  if (existsSync(join(packageRoot(), 'reference', area))) return [...before, area]
  throw new InvalidArgumentError(`reference/${area} does not exist; ls reference shows the areas`)
}

const program = new Command('mutate')
  .description(
    'changes the reference in one place after the other, and counts the changes that the suite finds',
  )
  .option(
    '--area <folder...>',
    'folders or files of reference/; default: the defects that people have written',
    readArea,
    [],
  )
  .option(
    '--edits <names...>',
    'only the defects of these files of reference/dev/mutation/edits, without .yaml',
    readEditsName,
    [],
  )
  .option('--commands', 'judge by the scenarios of agents and tenants, instead of those of servers')
  .option('--vectors', 'judge by the vectors of evidence only, and keep what they catch')
  .option('--budget <duration>', 'when to stop', '30m')
  .option('--sample <n>', 'judge so many mutants, drawn by the seed')
  .option('--seed <hex>', 'repeats the draw', freshSeed())
  .option('--mutants <keys>', 'judge these only, separated by commas')
  .option(
    '--scenarios <patterns>',
    'judge by these scenarios, ID or prefix*, also with @VERSION, separated by commas',
    '*',
  )
  .option('--subjects <n>', 'deployments at once', '3')
  .option('--most <n>', 'run at most so many scenarios against one mutant', '200')
  .option('--results <file>', 'where judgements are kept', join('reports', 'out', 'mutation.jsonl'))
  .option('--again', 'judge also what the file of results has')
  .option('--verbose', 'print a line for each mutant that was caught, too')
  .option(
    '--all',
    'run every scenario that reaches a mutant, and list each requirement that goes red',
  )
  .option(
    '--record',
    'keep what was caught, so that the gate can draw from it: defects in found.yaml, mutants of one area in found-in-areas.yaml',
  )
await main(program.parse().opts<Options>())
process.exit()
