import { type ChildProcess, fork, type Serializable } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from '../../input/package-root.ts'

const [DEV, HOST] = [join(packageRoot(), 'bin', 'dev.js'), 'reference/dev/mutants/host.ts']

/** Milliseconds that a mutant may take to listen, and to end. */
const LISTENS_MS = 60_000
const ENDS_MS = 10_000

/** Milliseconds that a host may take to switch a mutant; one in an endless loop never does. */
const SWITCHED_MS = 20_000

/** A message of the host about its mutant. */
type Answer =
  | { readonly listening: true }
  | { readonly ended: number }
  | { readonly fault: string }
  | { readonly done: true }
  | { readonly coverage: Coverage }
  | { readonly wrong: string | null }

/** The mutants whose code has run, by the names that a build gives them. */
export interface Coverage {
  /** While the program was loaded. */
  readonly atLoad: readonly string[]
  /** While the program was loaded and its servers started, or between two scenarios. */
  readonly atStart: readonly string[]
  readonly byScenario: Readonly<Record<string, readonly string[]>>
}

/** A process that has loaded the reference, and runs one mutant after the other. */
export class MutantHost {
  readonly #child: ChildProcess
  #errors = ''

  /** Relative paths in the mutant's arguments are relative to `cwd`. `program` with its arguments is the host. */
  constructor(cwd: string, [program, ...words]: readonly [string, ...string[]] = [DEV, HOST]) {
    this.#child = fork(program, words, {
      cwd,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child.stderr?.on('data', (chunk) => {
      this.#errors += chunk
    })
  }

  /** Starts a mutant by its arguments; rejects if it does not listen. */
  async start(words: readonly string[], clock: string | undefined): Promise<void> {
    const next = this.#next(LISTENS_MS)
    this.#send({ start: words, ...(clock === undefined ? {} : { clock }) })
    const answer = await next
    if ('fault' in answer) throw new Error(answer.fault)
    if ('ended' in answer)
      throw new Error(`the mutant ended with ${answer.ended} before it listened`)
  }

  /** Ends the running mutant; if it does not end, this rejects, and no other mutant can be started. */
  async end(): Promise<void> {
    const next = this.#next(ENDS_MS)
    this.#send('end')
    const answer = await next
    if (!('ended' in answer)) throw new Error('the mutant ended with an error')
  }

  /** Makes one mutant of a build active, or none. */
  async activate(mutant: string | null): Promise<void> {
    const next = this.#next(SWITCHED_MS)
    this.#send({ activate: mutant })
    await next
  }

  /** Counts coverage for a scenario from now on, or for none. */
  async cover(scenario: string | null): Promise<void> {
    const next = this.#next(SWITCHED_MS)
    this.#send({ covered: scenario })
    await next
  }

  /** What has been covered so far. */
  async coverage(): Promise<Coverage> {
    const next = this.#next(SWITCHED_MS)
    this.#send('coverage')
    const answer = await next
    if (!('coverage' in answer)) throw new Error('the host of the mutant sent no coverage')
    return answer.coverage
  }

  /** Reads the vectors that are evaluated from now on. */
  async readVectors(file: string): Promise<void> {
    const next = this.#next(SWITCHED_MS)
    this.#send({ vectors: file })
    await next
  }

  /** Evaluates vectors by their ids; the first one with the wrong verdict, or null. */
  async evaluate(ids: readonly string[]): Promise<string | null> {
    const next = this.#next(LISTENS_MS)
    this.#send({ evaluate: ids })
    const answer = await next
    if (!('wrong' in answer)) throw new Error('the host of the mutant evaluated nothing')
    return answer.wrong
  }

  /** Ends the process and the mutant in it. */
  close(): void {
    this.#child.kill('SIGKILL')
  }

  /** A message that a host does not get because it has ended is left unanswered. */
  #send(message: Serializable): void {
    this.#child.send(message, () => undefined)
  }

  #next(withinMs: number): Promise<Answer> {
    const child = this.#child
    return new Promise((resolve, reject) => {
      const over = (why: string) => () => {
        settle()
        reject(new Error(`the host of the mutant ${why}: ${this.#errors}`))
      }
      const timer = setTimeout(over(`sent no message for ${withinMs} ms`), withinMs)
      const gone = over('has ended')
      const received = (answer: Answer) => {
        settle()
        resolve(answer)
      }
      const settle = () => {
        clearTimeout(timer)
        child.off('exit', gone).off('message', received)
      }
      child.once('exit', gone).once('message', received)
      if (child.exitCode !== null || child.signalCode !== null) gone()
    })
  }
}
