import { SetupFault } from '../../../conformance/input/fault.ts'
import { type EvaluatorCommand, type Program, type ProgramEvents, startProgram } from './program.ts'

/** What became of one input. */
export type Outcome =
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'crash'; readonly how: string }
  | { readonly kind: 'hang'; readonly ms: number }
  | { readonly kind: 'memory'; readonly bytes: number }

interface EvaluatorSettings {
  readonly command: EvaluatorCommand
  /** An input that is answered first, by each process, before any time or memory is measured. */
  readonly baseline: string
  /** Inputs that a process is given before it has answered the first of them. */
  readonly atOnce: number
  /** Milliseconds for an answer; larger inputs have more. */
  readonly deadlineMs: number
  /** How sentences name it, and the option that gives its command. */
  readonly called?: { readonly name: string; readonly option: string }
}

interface Pending {
  readonly line: string
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (fault: SetupFault) => void
  /** How often no answer came in time. */
  misses: number
}

const START_MS = 60_000
const SHORTEST_MS = 20
/** Time and memory may grow with an input as it does, and no faster. */
const MS_PER_BYTE = 0.01
const MEMORY_PER_BYTE = 400
const MEMORY_AT_LEAST = 256 << 20
/** Smaller inputs are not worth the look at the memory. */
const LARGE = 32_768

/**
 * An evaluator as a process that answers lines with lines, in order. An input is blamed for a crash, a hang or a growth of memory
 * only when it was alone in the process: where there were others, all are given to a new process one by one.
 */
export class LocalEvaluator {
  readonly #settings: EvaluatorSettings
  readonly #start: (events: ProgramEvents) => Program
  #program: Program | undefined
  /** Lines that this process has answered; undefined until it has answered the baseline. */
  #answered: number | undefined
  #waiting: Pending[] = []
  #sent: Pending[] = []
  /** How many of those that wait, from the first on, are given to the process one by one. */
  #alone = 0
  /** A crash that none of them has repeated yet. */
  #unexplained: Outcome | undefined
  #deadline: NodeJS.Timeout | undefined
  #peak = 0
  #stopped: Promise<unknown> = Promise.resolve()
  #fault: SetupFault | undefined

  constructor(
    settings: EvaluatorSettings,
    start = (events: ProgramEvents) => startProgram(settings.command, events),
  ) {
    this.#settings = settings
    this.#start = start
  }

  /** Gives the evaluator one line. Rejects with a {@link SetupFault} where it cannot be started. */
  ask(line: string): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line, resolve, reject, misses: 0 })
      this.#pump()
    })
  }

  /**
   * Ends the input of the process once all is answered, and resolves when it has ended by itself or its time is over.
   * Rejects if it answered more lines than it was given.
   */
  async finish(): Promise<void> {
    let deadline: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      deadline = setTimeout(resolve, this.#settings.deadlineMs)
    })
    await Promise.race([this.#program?.end(), late])
    clearTimeout(deadline)
    if (this.#fault !== undefined) throw this.#fault
  }

  /** Ends the process, and resolves once it has ended; what is not answered yet is rejected. */
  async close(): Promise<void> {
    this.#fail(new SetupFault('the evaluator was closed'))
    await this.#stopped
  }

  #pump(): void {
    if (this.#fault !== undefined) this.#fail(this.#fault)
    else if (this.#program === undefined && this.#waiting.length > 0) this.#begin()
    else if (this.#answered !== undefined) this.#sendMore()
  }

  #sendMore(): void {
    const most = this.#alone > 0 ? 1 : this.#settings.atOnce
    while (this.#sent.length < most) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#sent.push(next)
      this.#program?.write(next.line)
      if (this.#sent.length === 1) this.#watch(next)
    }
  }

  #begin(): void {
    this.#answered = undefined
    const program = this.#start({
      onLine: (line) => {
        if (this.#program === program) this.#onLine(line)
      },
      onEnd: (how) => {
        if (this.#program === program) this.#onEnd(how)
      },
    })
    this.#program = program
    this.#after(START_MS, () => this.#unusable(`gave no answer within ${START_MS} ms`))
    program.write(this.#settings.baseline)
  }

  /** Does something unless an answer comes first, also one that has come and was not read yet. */
  #after(ms: number, act: () => void): void {
    clearTimeout(this.#deadline)
    const deadline = setTimeout(() => {
      setImmediate(() => {
        if (this.#deadline === deadline) act()
      })
    }, ms)
    this.#deadline = deadline
  }

  #watch(pending: Pending): void {
    const ms = Math.round(this.#settings.deadlineMs + MS_PER_BYTE * pending.line.length)
    const before = this.#program?.usage()?.cpuMs ?? 0
    this.#after(ms, () => this.#late(ms, before))
  }

  /** On a busy machine a process is waited for until it has had its time of the processor. */
  #late(ms: number, before: number): void {
    const { cpuMs = before, isRunning = false } = this.#program?.usage() ?? {}
    const left = ms - (cpuMs - before)
    if (isRunning && left > 0)
      this.#after(Math.max(SHORTEST_MS, left), () => this.#late(ms, before))
    else this.#lost({ kind: 'hang', ms })
  }

  #onLine(line: string): void {
    clearTimeout(this.#deadline)
    this.#deadline = undefined
    if (this.#answered === undefined) {
      this.#answered = 0
      this.#peak = this.#program?.usage()?.peakMemory ?? 0
    } else {
      const done = this.#sent.shift()
      if (done === undefined) this.#unusable('answers more lines than it is given')
      else this.#onAnswer(done, line, this.#answered)
    }
    this.#pump()
  }

  #onAnswer(done: Pending, line: string, answered: number): void {
    const bytes = this.#growth(done)
    if (bytes !== undefined && answered > 0) {
      this.#again(done)
      return
    }
    this.#answered = answered + 1
    this.#settle(done, bytes === undefined ? { kind: 'line', line } : { kind: 'memory', bytes })
    const [next] = this.#sent
    if (next !== undefined) this.#watch(next)
  }

  /** Bytes by which the memory grew, where that is more than it may. */
  #growth({ line }: Pending): number | undefined {
    if (line.length < LARGE) return undefined
    const before = this.#peak
    this.#peak = this.#program?.usage()?.peakMemory ?? 0
    const bytes = this.#peak - before
    return bytes > MEMORY_AT_LEAST + MEMORY_PER_BYTE * line.length ? bytes : undefined
  }

  /** Gives an input to a process of its own, as other inputs may have left what it is blamed for. */
  #again(suspect: Pending): void {
    this.#waiting.unshift(suspect, ...this.#sent)
    this.#alone = Math.max(1, this.#alone)
    this.#sent = []
    this.#end()
  }

  #settle(done: Pending, outcome: Outcome): void {
    const isLast = this.#alone === 1
    this.#alone = Math.max(0, this.#alone - 1)
    const unexplained = isLast ? this.#unexplained : undefined
    if (isLast) this.#unexplained = undefined
    done.resolve(unexplained ?? outcome)
  }

  #onEnd(how: string): void {
    if (this.#answered === undefined) this.#unusable(how)
    else this.#lost({ kind: 'crash', how })
  }

  #lost(outcome: Outcome): void {
    const lost = this.#sent
    const [head, ...others] = lost
    this.#sent = []
    this.#end()
    if (
      head !== undefined &&
      others.length === 0 &&
      (outcome.kind === 'crash' || head.misses > 0)
    ) {
      this.#unexplained = undefined
      this.#settle(head, outcome)
    } else if (head !== undefined) {
      head.misses += 1
      this.#waiting.unshift(...lost)
      this.#alone = Math.max(this.#alone, lost.length)
      if (outcome.kind === 'crash') this.#unexplained = outcome
    }
    this.#pump()
  }

  /** Ends the process; the next input starts another one. */
  #end(): void {
    clearTimeout(this.#deadline)
    this.#deadline = undefined
    const ended = this.#program?.stop()
    this.#program = undefined
    this.#stopped = Promise.all([this.#stopped, ended])
  }

  #unusable(how: string): void {
    const { name, option } = this.#settings.called ?? { name: 'evaluator', option: '--command' }
    const fault = new SetupFault(`the ${name} cannot be used: it ${how}`, {
      next: `run its command by hand and give it a line, or name another one with ${option}`,
    })
    this.#fail(fault)
  }

  #fail(fault: SetupFault): void {
    this.#fault = fault
    this.#end()
    for (const { reject } of [...this.#sent, ...this.#waiting]) reject(fault)
    this.#sent = []
    this.#waiting = []
  }
}
