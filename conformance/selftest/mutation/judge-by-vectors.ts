import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshOut, runAssay } from '../command.ts'
import { MutantHost } from '../mutants/mutant-host.ts'
import type { Judgement, Mutant } from './judge.ts'

/** What this file reads of a published group of vectors. */
interface Group {
  readonly vectors: readonly {
    readonly id: string
    readonly expected: 'valid' | 'invalid' | 'either'
    readonly requirements: readonly string[]
    readonly body: object
  }[]
}

interface Settings {
  /** When to stop, by `performance.now()`. */
  readonly until: number
  readonly atOnce: number
  readonly onJudged: (judgement: Judgement) => void
}

/** The vectors with one right verdict, in a file for the hosts, and the requirements of each. */
async function writeVectors(folder: string) {
  const { code, stderr } = await runAssay(['vectors', 'write', folder])
  if (code !== 0) throw new Error(`the vectors could not be written: ${stderr}`)
  const groups = readdirSync(folder).map(
    (name): Group => JSON.parse(readFileSync(join(folder, name), 'utf8')),
  )
  const fixed = groups.flatMap(({ vectors }) => vectors.filter((one) => one.expected !== 'either'))
  const file = join(folder, 'vectors.json')
  const written = fixed.map(({ id, expected, body }) => ({ id, valid: expected === 'valid', body }))
  writeFileSync(file, JSON.stringify(written))
  return { file, requirements: new Map(fixed.map((one) => [one.id, one.requirements])) }
}

/** A host that can evaluate vectors; in its process `mutant` is active from the start. */
async function openHost(program: string, file: string, mutant = 'none'): Promise<MutantHost> {
  const host = new MutantHost('.', [program, mutant])
  try {
    await host.readVectors(file)
    return host
  } catch (error) {
    host.close()
    throw error
  }
}

interface Reached {
  /** The vectors that run the code of a mutant. */
  readonly byMutant: ReadonlyMap<string, Reaching>
  /** The vectors that run the code of some mutant of a file. */
  readonly byFile: ReadonlyMap<string, Reaching>
  /** Mutants whose code runs while the program is loaded. */
  readonly atLoad: Reaching
}

async function coverVectors(
  host: MutantHost,
  ids: readonly string[],
  mutants: readonly Mutant[],
): Promise<Reached> {
  for (const id of ids) {
    await host.cover(id)
    const wrong = await host.evaluate([id])
    if (wrong !== null) throw new Error(`the reference is wrong about the vector ${wrong}`)
  }
  await host.cover(null)
  const { atLoad, byScenario } = await host.coverage()
  const fileOf = new Map(mutants.map(({ active, file }) => [active, file]))
  const byMutant = new Map<string, Set<string>>()
  const byFile = new Map<string, Set<string>>()
  for (const [id, reached] of Object.entries(byScenario))
    for (const mutant of reached) {
      byMutant.set(mutant, (byMutant.get(mutant) ?? new Set()).add(id))
      const file = fileOf.get(mutant) ?? ''
      byFile.set(file, (byFile.get(file) ?? new Set()).add(id))
    }
  return { byMutant, byFile, atLoad: new Set(atLoad) }
}

/** Vectors for one mutant after the other, each in a process that is loaded with it. */
export interface VectorSubject {
  /** Whether a vector has the wrong verdict while the mutant is active. */
  isWrong(id: string, active: string): Promise<boolean>
  close(): void
}

export async function openVectors(program: string): Promise<VectorSubject> {
  const folder = freshOut()
  const { file } = await writeVectors(folder)
  return {
    async isWrong(id, active) {
      const host = await openHost(program, file, active)
      try {
        return (await host.evaluate([id])) === id
      } finally {
        host.close()
      }
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

type Reaching = ReadonlySet<string>

/** Judges mutants by vectors in a host. */
class VectorJudge {
  readonly #requirements: ReadonlyMap<string, readonly string[]>
  readonly #onJudged: Settings['onJudged']
  /** Ids of all vectors; those that caught a mutant lately come first. */
  readonly #order: string[]
  readonly caught = new Set<string>()

  constructor(
    requirements: ReadonlyMap<string, readonly string[]>,
    onJudged: Settings['onJudged'],
  ) {
    this.#requirements = requirements
    this.#onJudged = onJudged
    this.#order = [...requirements.keys()]
  }

  /** False if the mutant ended its process, or did not end: what a client sees of that, scenarios on the wire say. */
  async judge(host: MutantHost, { active, key }: Mutant, reached: Reaching): Promise<boolean> {
    const ids = this.#order.filter((id) => reached.has(id))
    try {
      await host.activate(active)
      const id = await host.evaluate(ids)
      if (id === null) {
        this.#onJudged({ key, outcome: 'survived', by: VECTORS, ran: ids.length })
        return true
      }
      this.#order.unshift(...this.#order.splice(this.#order.indexOf(id), 1))
      this.caught.add(key)
      const [requirement] = this.#requirements.get(id) ?? []
      const by = `${VECTOR}${id}`
      const ran = ids.indexOf(id) + 1
      this.#onJudged({ key, outcome: 'caught', by, ran, ...(requirement && { requirement }) })
      return true
    } catch {
      return false
    }
  }
}

/** Before the id of a vector that caught a mutant. */
export const VECTOR = 'vector '

/** What judged a mutant that survived, if scenarios on the wire did not judge it. */
export const VECTORS = 'vectors'

/**
 * Judges mutants by the vectors of the suite, in the process of the mutants: a hundred times as fast as over the wire.
 * Of those that no vector catches or reaches, scenarios on the wire know more.
 */
export async function judgeByVectors(
  program: string,
  mutants: readonly Mutant[],
  { until, atOnce, onJudged }: Settings,
): Promise<void> {
  const folder = freshOut()
  const { file, requirements } = await writeVectors(folder)
  const first = await openHost(program, file)
  const { byMutant, byFile, atLoad } = await coverVectors(first, [...requirements.keys()], mutants)
  first.close()
  const judge = new VectorJudge(requirements, onJudged)
  const each = async (
    some: readonly Mutant[],
    work: (next: Iterable<Mutant>) => Promise<void>,
  ): Promise<void> => {
    const next = untilThen(some, until)
    await Promise.all(Array.from({ length: atOnce }, () => work(next)))
  }
  const later = mutants.filter(({ active }) => byMutant.has(active))
  await each(later, async (next) => {
    let host = await openHost(program, file)
    for (const mutant of next) {
      if (await judge.judge(host, mutant, byMutant.get(mutant.active) ?? NONE)) continue
      host.close()
      host = await openHost(program, file)
    }
    host.close()
  })
  const early = mutants.filter(({ active, key }) => atLoad.has(active) && !judge.caught.has(key))
  await each(early, async (next) => {
    for (const mutant of next) {
      const host = await openHost(program, file, mutant.active).catch(() => undefined)
      if (host !== undefined) await judge.judge(host, mutant, byFile.get(mutant.file) ?? NONE)
      host?.close()
    }
  })
  rmSync(folder, { recursive: true, force: true })
}

const NONE: Reaching = new Set()

/** The mutants one by one, as long as there is time. */
function* untilThen(mutants: readonly Mutant[], until: number): Generator<Mutant> {
  for (const mutant of mutants) {
    if (performance.now() > until) return
    yield mutant
  }
}
