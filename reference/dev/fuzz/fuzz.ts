import { type Derivation, derive, type Lineage, type Sample } from './derive.ts'
import { minimise } from './minimise.ts'
import { sizeOf } from './pack.ts'
import { plain } from './says.ts'
import { FAULT_KINDS, type Fault, type Input, type Target } from './target.ts'
import { type Instruments, type Observation, watch } from './watch.ts'
import { countWork } from './work.ts'

/** A defect, with the smallest input that still shows it. */
export interface Found {
  readonly fault: Fault
  readonly lineage: Lineage
  readonly input: Input
}

/** An input that led to a class of outcomes, or to a message, that nobody had seen. */
export interface Kept extends Sample {
  readonly observation: Observation
}

export interface FuzzReport {
  readonly target: string
  readonly seed: number
  readonly runs: number
  readonly ms: number
  readonly classes: number
  /** inputs that did something new, honest ones included */
  readonly kept: readonly Kept[]
  /** worst first */
  readonly found: readonly Found[]
}

export interface FuzzOptions {
  readonly seed: number
  readonly runs: number
  /** ends the session earlier than `runs` does */
  readonly seconds?: number
  /** inputs of earlier sessions, beside the honest ones */
  readonly corpus?: readonly Input[]
  /** milliseconds */
  readonly now: () => number
  /** milliseconds of processor time */
  readonly busy?: () => number
  /** ends the session at a fault that is enough, and leaves its input as large as it is */
  readonly enough?: (fault: Fault) => boolean
}

/** Inputs larger than this are judged and not kept: every run that went on from one would be slow. */
const LARGEST_KEPT = 8192
const MAX_KEPT = 4096
const MAX_FOUND = 50

/** Attempts to make an input smaller that takes long by itself, against the minimiser's own number for all others. */
const SLOW_ATTEMPTS = 24
const RUNS_BETWEEN_LOOKS = 512

/** Resident memory that a whole session may add. */
const SESSION_BYTES = 1 << 30

/** Fuzzes one target; the same seed gives the same runs, in whatever time. */
export async function fuzz(target: Target, options: FuzzOptions): Promise<FuzzReport> {
  const work = countWork()
  const { stackTraceLimit } = Error
  // Nearly every run ends in an error, and most of what an error costs is its stack.
  Error.stackTraceLimit = 2
  try {
    return await new Session(target, options, { ...options, work }).run()
  } finally {
    work.remove()
    Error.stackTraceLimit = stackTraceLimit
  }
}

class Session {
  readonly #options: FuzzOptions
  readonly #instruments: Instruments
  readonly #derivation: Derivation
  readonly #kept: Kept[] = []
  readonly #classes = new Set<string>()
  readonly #seen = new Set<string>()
  readonly #goesOn: Sample[] = []
  readonly #found = new Map<string, Found>()
  #isOver = false

  constructor(target: Target, options: FuzzOptions, instruments: Instruments) {
    this.#options = options
    this.#instruments = instruments
    const initial = [...target.honest, ...(options.corpus ?? [])]
    this.#derivation = { target, seed: options.seed, initial }
  }

  async run(): Promise<FuzzReport> {
    const { seed, runs, seconds = Number.POSITIVE_INFINITY, now } = this.#options
    const start = now()
    const resident = process.memoryUsage.rss()
    for (const input of this.#derivation.initial) this.#take({ input, lineage: [] })
    let run = 0
    for (; run < runs && !this.#isOver; run++) {
      if (run % RUNS_BETWEEN_LOOKS === 0) {
        if (now() - start > seconds * 1000) break
        this.#lookAtMemory(run, resident)
        // Signals and reporters get their turn.
        await new Promise((resolve) => setImmediate(resolve))
      }
      this.#take(derive(this.#derivation, this.#goesOn, run))
    }
    return this.#report(seed, run, now() - start)
  }

  #take(sample: Sample): void {
    const observation = watch(this.#derivation.target, sample.input, this.#instruments)
    for (const fault of observation.faults) this.#keepFault(fault, sample, observation)
    this.#classes.add(observation.class)
    const news = [observation.class, ...observation.says].filter((each) => !this.#seen.has(each))
    if (news.length === 0 || this.#kept.length >= MAX_KEPT) return
    for (const each of news) this.#seen.add(each)
    this.#kept.push({ ...sample, observation })
    if (sample.lineage.length > 0 && sizeOf(sample.input) <= LARGEST_KEPT) this.#goesOn.push(sample)
  }

  #keepFault(fault: Fault, sample: Sample, { verdict }: Observation): void {
    const key = `${fault.kind} ${verdict} ${plain(fault.message)}`
    if (this.#found.has(key) || this.#found.size >= MAX_FOUND) return
    this.#isOver ||= this.#options.enough?.(fault) ?? false
    const input = this.#options.enough ? sample.input : this.#smaller(fault, sample.input)
    this.#found.set(key, { fault, lineage: sample.lineage, input })
  }

  #smaller(fault: Fault, large: Input): Input {
    const shows = (input: Input) =>
      watch(this.#derivation.target, input, this.#instruments).faults.some(
        ({ kind, message }) => kind === fault.kind && plain(message) === plain(fault.message),
      )
    const most = fault.kind === 'hang' || fault.kind === 'memory' ? SLOW_ATTEMPTS : undefined
    return minimise(large, this.#derivation.target.honest, shows, most)
  }

  #lookAtMemory(run: number, before: number): void {
    if (process.memoryUsage.rss() - before < SESSION_BYTES) return
    const message = `the session holds a GiB more than at its start, first seen at run ${run}`
    const [input] = this.#derivation.initial
    if (input && !this.#found.has('memory'))
      this.#found.set('memory', { fault: { kind: 'memory', message }, lineage: [run], input })
  }

  #report(seed: number, runs: number, ms: number): FuzzReport {
    const rank = ({ fault }: Found) => FAULT_KINDS.indexOf(fault.kind)
    return {
      target: this.#derivation.target.name,
      seed,
      runs,
      ms,
      classes: this.#classes.size,
      kept: this.#kept,
      found: [...this.#found.values()].sort((left, right) => rank(left) - rank(right)),
    }
  }
}
