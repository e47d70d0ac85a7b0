import { sizeOf } from './pack.ts'
import type { Fault, Input, Judgement, Target } from './target.ts'
import type { WorkCounter } from './work.ts'

/** What one run may cost; all of it linear in the size of the input. */
const BUDGET = {
  hashedPerByte: 48,
  hashedAtLeast: 65_536,
  msPerByte: 0.01,
  msAtLeast: 50,
  bytesPerByte: 400,
  bytesAtLeast: 96 << 20,
} as const

/** From this size on, memory is looked at too; asking costs more than a small run. */
const LARGE = 32_768

/** What happened to an input, all oracles asked. */
export interface Observation {
  /** verdict and which checks found something; equal for inputs that went the same way */
  readonly class: string
  readonly verdict: Judgement['verdict'] | 'crash'
  readonly says: readonly string[]
  readonly faults: readonly Fault[]
}

/** What an observation needs from outside. */
export interface Instruments {
  /** milliseconds */
  readonly now: () => number
  /** milliseconds that the processor has worked for us, which says more than `now` on a busy machine */
  readonly busy?: () => number
  readonly work: WorkCounter
}

/** Judges an input and asks every oracle about it. */
export function watch(target: Target, input: Input, instruments: Instruments): Observation {
  const { now, work } = instruments
  const large = sizeOf(input) >= LARGE
  const held = large ? memoryHeld() : 0
  work.restart()
  const start = now()
  const { judgement, crash } = attemptJudge(target, input)
  const cost = { ms: now() - start, hashed: work.hashed(), held: large ? memoryHeld() - held : 0 }
  const faults = [
    ...(crash ? [crash] : []),
    ...faultsOf(judgement),
    ...overBudget(target, input, cost, instruments),
  ]
  const { verdict, says } = judgement ?? { verdict: 'crash' as const, says: [crash?.message ?? ''] }
  return { class: classOf(verdict, says), verdict, says, faults }
}

/** What is said in detail is left out: of what a dozen checks say there are more combinations than runs. */
function classOf(verdict: string, says: readonly string[]): string {
  const checks = says.map((each) => each.split(':', 1)[0] ?? '')
  return [verdict, ...new Set(checks)].join(' ')
}

function memoryHeld(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function attemptJudge(
  target: Target,
  input: Input,
): { readonly judgement?: Judgement; readonly crash?: Fault } {
  try {
    return { judgement: target.judge(input) }
  } catch (error) {
    return { crash: { kind: 'crash', message: describe(error) } }
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const place = /\(?([^()\s/\\]+\.(?:ts|js)):\d+/.exec(error.stack ?? '')?.[1] ?? 'unknown place'
  return `${error.name}: ${error.message} (${place})`
}

function faultsOf(judgement: Judgement | undefined): readonly Fault[] {
  const { mustNotPass, changed } = judgement ?? {}
  return [
    ...(mustNotPass === undefined ? [] : [{ kind: 'false-pass', message: mustNotPass } as const]),
    ...(changed === undefined ? [] : [{ kind: 'round-trip', message: changed } as const]),
  ]
}

interface Cost {
  readonly ms: number
  readonly hashed: number
  readonly held: number
}

function overBudget(
  target: Target,
  input: Input,
  cost: Cost,
  instruments: Instruments,
): readonly Fault[] {
  // Measuring a size costs as much as a small run, so nobody asks for it before it matters.
  if (cost.hashed <= BUDGET.hashedAtLeast && cost.ms <= BUDGET.msAtLeast && cost.held <= 0)
    return []
  const size = sizeOf(input)
  const hashed = BUDGET.hashedAtLeast + BUDGET.hashedPerByte * size
  const ms = BUDGET.msAtLeast + BUDGET.msPerByte * size
  const held = BUDGET.bytesAtLeast + BUDGET.bytesPerByte * size
  const faults: Fault[] = []
  if (cost.hashed > hashed)
    faults.push({ kind: 'hang', message: `hashed more than ${BUDGET.hashedPerByte} bytes a byte` })
  else if (cost.ms > ms && leastTime(target, input, instruments) > ms)
    faults.push({ kind: 'hang', message: `took more than ${BUDGET.msPerByte} ms a byte` })
  if (cost.held > held)
    faults.push({ kind: 'memory', message: `held more than ${BUDGET.bytesPerByte} bytes a byte` })
  return faults
}

/** A slow run may have been the machine's fault: the best of several counts. */
function leastTime(target: Target, input: Input, { now, busy = now }: Instruments): number {
  const times = [1, 2, 3, 4].map(() => {
    const start = busy()
    attemptJudge(target, input)
    return busy() - start
  })
  return Math.min(...times)
}
