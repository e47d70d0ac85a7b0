import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from '../../input/package-root.ts'

const [DEV, HOST] = [join(packageRoot(), 'bin', 'dev.js'), 'reference/dev/mutants/host.ts']

/** Milliseconds that a mutant may take to listen, and to end. */
const LISTENS_MS = 60_000
const ENDS_MS = 10_000

/** What a host says of its mutant. */
type Said = { readonly listening: true } | { readonly ended: number } | { readonly fault: string }

/** A process that has loaded the reference, and starts one mutant after the other in itself. */
export class MutantHost {
  readonly #child: ChildProcess
  #errors = ''

  /** Relative paths in what it starts are relative to `cwd`. */
  constructor(cwd: string) {
    this.#child = fork(DEV, [HOST], {
      cwd,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child.stderr?.on('data', (chunk) => {
      this.#errors += chunk
    })
  }

  /** Starts a mutant by its words; rejects where it does not come to listen. */
  async start(words: readonly string[], clock: string | undefined): Promise<void> {
    const said = this.#next(LISTENS_MS)
    this.#child.send({ start: words, ...(clock === undefined ? {} : { clock }) })
    const answer = await said
    if ('fault' in answer) throw new Error(answer.fault)
    if ('ended' in answer) throw new Error(`the mutant ended with ${answer.ended} at once`)
  }

  /** Ends the mutant that runs; rejects where it does not end, and then neither can another be started. */
  async end(): Promise<void> {
    const said = this.#next(ENDS_MS)
    this.#child.send('end')
    const answer = await said
    if (!('ended' in answer)) throw new Error('the mutant did not end well')
  }

  /** Ends the process, with whatever runs in it. */
  close(): void {
    this.#child.kill('SIGKILL')
  }

  #next(withinMs: number): Promise<Said> {
    const child = this.#child
    return new Promise((resolve, reject) => {
      const over = (why: string) => () => {
        settle()
        reject(new Error(`the host of the mutant ${why}: ${this.#errors}`))
      }
      const timer = setTimeout(over(`said nothing for ${withinMs} ms`), withinMs)
      const gone = over('has ended')
      const heard = (said: Said) => {
        settle()
        resolve(said)
      }
      const settle = () => {
        clearTimeout(timer)
        child.off('exit', gone).off('message', heard)
      }
      child.once('exit', gone).once('message', heard)
      if (child.exitCode !== null || child.signalCode !== null) gone()
    })
  }
}
