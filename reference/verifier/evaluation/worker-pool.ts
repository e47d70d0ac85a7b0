import { once } from 'node:events'
import type { TransferListItem, Worker } from 'node:worker_threads'
import { evaluationsFull } from '../../errors.ts'
import type { FailureKind } from '../../evidence/findings.ts'
import { failedEvaluation } from '../failed-evaluation.ts'
import { type Evaluator, type EvaluatorSettings, evaluatorAt } from './evaluator.ts'
import { faultOf, type Job, keepStep, questionOf, type Reply } from './exchange.ts'
import { startEvaluationWorker } from './start-worker.ts'

/** A worker, and the policies it was sent. */
interface Desk {
  readonly worker: Worker
  readonly sent: Set<string>
}

interface Waiting {
  readonly job: Job
  readonly done: (reply: Reply) => void
}

/**
 * Threads that evaluate, one evaluation at a time each. A thread starts when there is work that no other is free
 * for; one that dies, or takes longer than it may, is given up, and its evaluation has failed.
 */
class WorkerPool {
  readonly #settings: EvaluatorSettings
  readonly #start: () => Worker
  readonly #idle: Desk[] = []
  readonly #all = new Set<Desk>()
  readonly #waiting: Waiting[] = []
  #busy = 0

  constructor(settings: EvaluatorSettings, start: () => Worker) {
    this.#settings = settings
    this.#start = start
  }

  get atOnce(): number {
    return this.#settings.workers
  }

  run(job: Job, patience: 'patient' | 'impatient'): Promise<Reply> {
    if (patience === 'impatient' && this.#waiting.length >= this.#settings.waiting)
      return Promise.reject(evaluationsFull())
    return new Promise((done) => {
      this.#waiting.push({ job, done })
      this.#next()
    })
  }

  async close(): Promise<void> {
    const desks = [...this.#all]
    this.#all.clear()
    this.#idle.length = 0
    await Promise.all(desks.map(({ worker }) => worker.terminate()))
  }

  #next(): void {
    if (this.#busy >= this.#settings.workers) return
    const next = this.#waiting.shift()
    if (next === undefined) return
    this.#busy += 1
    void this.#serve(next)
  }

  async #serve({ job, done }: Waiting): Promise<void> {
    const reply = await this.#ask(job).catch((error) => ({ fault: faultOf(error), forgotten: [] }))
    this.#busy -= 1
    done(reply)
    this.#next()
  }

  async #ask(job: Job): Promise<Reply> {
    const desk = this.#idle.pop() ?? (await this.#open())
    try {
      const { question, moved } = await questionOf(job, desk.sent)
      const reply = await answerOf(desk.worker, this.#settings.limit, () =>
        desk.worker.postMessage(question, moved as TransferListItem[]),
      )
      if ('gone' in reply) return this.#giveUp(desk, reply.gone)
      keepStep(desk.sent, question, reply)
      if (this.#all.has(desk)) this.#idle.push(desk)
      return reply
    } catch (error) {
      // What could not be asked left the thread as it was.
      if (this.#all.has(desk)) this.#idle.push(desk)
      throw error
    }
  }

  async #open(): Promise<Desk> {
    const worker = this.#start()
    const desk = { worker, sent: new Set<string>() }
    this.#all.add(desk)
    const ended = new AbortController()
    worker.once('exit', () => {
      this.#forget(desk)
      ended.abort()
    })
    // Whoever is being answered hears of it too; nobody else minds.
    worker.on('error', () => this.#forget(desk))
    // A thread that ends without an error would be waited for as long as the process lives.
    await once(worker, 'message', { signal: ended.signal })
    worker.unref()
    return desk
  }

  #forget(desk: Desk): void {
    this.#all.delete(desk)
    const at = this.#idle.indexOf(desk)
    if (at >= 0) this.#idle.splice(at, 1)
  }

  #giveUp(desk: Desk, why: Gone): Reply {
    this.#forget(desk)
    void desk.worker.terminate()
    return why === 'late'
      ? failed('internal.verifier.timeout', `was not judged within ${this.#settings.limit} ms`)
      : failed('internal.verifier.exception', `ended the thread that judged it: ${why.error}`)
  }
}

function failed(kind: FailureKind & `internal.${string}`, what: string): Reply {
  return {
    judgement: { evaluation: failedEvaluation(kind, `the evidence ${what}`) },
    forgotten: [],
  }
}

/** Why a worker gave no answer. */
type Gone = 'late' | { readonly error: string }

/** The answer of a worker, which holds the process only while it is asked. */
function answerOf(
  worker: Worker,
  limit: number,
  ask: () => void,
): Promise<Reply | { readonly gone: Gone }> {
  return new Promise((resolve) => {
    const end = (outcome: Reply | { readonly gone: Gone }): void => {
      clearTimeout(timer)
      worker.off('message', end).off('exit', exited).off('error', failed)
      worker.unref()
      resolve(outcome)
    }
    const timer = setTimeout(() => end({ gone: 'late' }), limit)
    const exited = (): void => end({ gone: { error: 'it ended by itself' } })
    const failed = (error: NodeJS.ErrnoException): void =>
      end({ gone: { error: error.code ?? error.name } })
    worker.on('message', end).on('exit', exited).on('error', failed)
    worker.ref()
    ask()
  })
}

/** Evaluates by the shipped checks in threads of their own, so that no evidence keeps a request waiting for its end. */
export function evaluatingInWorkers(
  settings: EvaluatorSettings,
  start: () => Worker = startEvaluationWorker,
): Evaluator {
  return evaluatorAt(new WorkerPool(settings, start))
}
