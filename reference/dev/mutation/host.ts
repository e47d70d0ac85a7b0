import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SHIPPED_PARTS } from '../../compose/parts.ts'
import { inProcessEvaluators } from '../../verifier/evaluation/in-process-evaluator.ts'
import { startComponents } from '../mutants/start-components.ts'
import { firstWrong, loadVectors } from './evaluate-vectors.ts'

/** Milliseconds between two copies: a process that is killed has no last word. */
const EVERY_MS = 200

/** Writes the coverage of a command into a folder, now and then and at the end; without a folder, nothing. */
function writeCoverageOnExit(folder: string | undefined, coverage: () => object): void {
  if (folder === undefined) return
  const file = join(folder, `${process.pid}.json`)
  const write = () => writeFileSync(file, JSON.stringify(coverage()))
  setInterval(write, EVERY_MS).unref()
  process.on('exit', write)
}

/** The switch that every mutant reads. */
interface Switch {
  activeMutant?: string | undefined
  /** The scenario that runs, while coverage is measured. */
  currentTestId?: string | undefined
  /** No coverage is measured. */
  countsNothing?: boolean
  mutantCoverage?: {
    readonly static: Record<string, number>
    readonly perTest: Record<string, Record<string, number>>
  }
  hitCount?: number
  hitLimit?: number
}

/** A request of the parent process. */
type Request =
  | { readonly start: readonly string[]; readonly clock?: string }
  | 'end'
  /** The mutant that is active from now on; null for none. */
  | { readonly activate: string | null }
  /** The scenario that runs from now on; null for none. */
  | { readonly covered: string | null }
  | 'coverage'
  /** The file of the vectors that `evaluate` names by their ids. */
  | { readonly vectors: string }
  | { readonly evaluate: readonly string[] }

/** Times that a mutant may be met before it counts as a loop without an end. */
const HIT_LIMIT = 20_000_000

const mutation = (globalThis as unknown as { readonly __stryker__: Switch }).__stryker__
const parts = { ...SHIPPED_PARTS, evaluator: inProcessEvaluators() }
let end: () => void = () => undefined

function send(message: object): void {
  process.send?.(message)
}

function start(words: readonly string[], clock: string | undefined): void {
  const stopRequested = new Promise<void>((resolve) => {
    end = resolve
  })
  const onListening = () => send({ listening: true })
  startComponents(words, parts, { clock, onListening, stopRequested: () => stopRequested }).then(
    (code) => send({ ended: code }),
    (error: unknown) => send({ fault: error instanceof Error ? error.message : String(error) }),
  )
}

function reached(): readonly string[] {
  return Object.keys(mutation.mutantCoverage?.static ?? {})
}

/** Reached while the program was loaded: constants, tables, classes. */
const atLoad = reached()

/** What has been reached since the last report of it. */
function coverage(): object {
  const { perTest = {} } = mutation.mutantCoverage ?? {}
  const byScenario = Object.entries(perTest).map(([scenario, hits]) => {
    delete perTest[scenario]
    return [scenario, Object.keys(hits)]
  })
  return { atLoad, atStart: reached(), byScenario: Object.fromEntries(byScenario) }
}

/** The global variables of the program itself: a mutant that remembers something adds others. */
const OWN = new Set(Object.getOwnPropertyNames(globalThis))

function forgetMutants(): void {
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (!OWN.has(name)) delete (globalThis as Record<string, unknown>)[name]
}

let vectors: ReturnType<typeof loadVectors> = []

function evaluate(ids: readonly string[]): void {
  const byId = new Map(vectors.map((one) => [one.id, one]))
  firstWrong(ids.flatMap((id) => byId.get(id) ?? [])).then(
    (wrong) => send({ wrong: wrong ?? null }),
    (error: unknown) => send({ fault: String(error) }),
  )
}

function answer(request: Request): void {
  if (request === 'end') end()
  else if (request === 'coverage') send({ coverage: coverage() })
  else if ('start' in request) start(request.start, request.clock)
  else if ('activate' in request) {
    forgetMutants()
    mutation.activeMutant = request.activate ?? undefined
    mutation.hitCount = 0
    mutation.hitLimit = HIT_LIMIT
    mutation.countsNothing = true
    send({ done: true })
  } else if ('vectors' in request) {
    vectors = loadVectors(request.vectors)
    send({ done: true })
  } else if ('evaluate' in request) evaluate(request.evaluate)
  else {
    mutation.currentTestId = request.covered ?? undefined
    mutation.countsNothing = false
    send({ done: true })
  }
}

/**
 * `node main.mjs <mutant>`, as a child process with a channel: starts servers, and switches mutants on and off, as its
 * parent process asks. `node main.mjs <mutant> agent …`: runs a command of the reference with the mutant active.
 */
const [, , , ...words] = process.argv
if (words.length === 0) {
  process.on('message', answer)
  process.on('disconnect', () => process.exit())
} else {
  writeCoverageOnExit(process.env['ASSAY_COVERAGE'], coverage)
  process.exitCode = await startComponents(words, parts, { clock: process.env['ASSAY_CLOCK'] })
}
