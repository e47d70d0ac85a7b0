import { once } from 'node:events'
import type { TransferListItem, Worker, WorkerOptions } from 'node:worker_threads'
import { evaluationsFull } from '../../errors.ts'
import type { FailureKind } from '../../evidence/findings.ts'
import { startThread } from '../../platform/start-thread.ts'
import { threadTime } from '../../platform/thread-time.ts'
import { type Evaluator, type EvaluatorSettings, evaluatorOn, type JobRunner } from './evaluator.ts'
import {
  answering,
  faultOf,
  type Job,
  keepStep,
  type Question,
  questionOf,
  type Reply,
} from './exchange.ts'
import { failedEvaluation } from './failed-evaluation.ts'
import { shippedChecks, taskParts } from './in-process-evaluator.ts'
import { isSmall } from './small-task.ts'
import { watchWork } from './work-limit.ts'

/** A worker, and the policies it was sent. */
interface PooledWorker {
  readonly worker: Worker
  /** The system's number of it; undefined if it is not known. */
  thread: number | undefined
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
  readonly #idle: PooledWorker[] = []
  readonly #all = new Set<PooledWorker>()
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
    const workers = [...this.#all]
    this.#all.clear()
    this.#idle.length = 0
    await Promise.all(workers.map(({ worker }) => worker.terminate()))
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
    const pooled = this.#idle.pop() ?? (await this.#open())
    try {
      const { question, moved } = await questionOf(job, pooled.sent)
      const reply = await answerOf(pooled, this.#settings.limit, () =>
        pooled.worker.postMessage(question, moved as TransferListItem[]),
      )
      if ('gone' in reply) return this.#giveUp(pooled, reply.gone)
      keepStep(pooled.sent, question, reply)
      if (this.#all.has(pooled)) this.#idle.push(pooled)
      return reply
    } catch (error) {
      // A question that could not be sent left the thread unchanged.
      if (this.#all.has(pooled)) this.#idle.push(pooled)
      throw error
    }
  }

  async #open(): Promise<PooledWorker> {
    const worker = this.#start()
    const pooled: PooledWorker = { worker, thread: undefined, sent: new Set() }
    this.#all.add(pooled)
    const ended = new AbortController()
    worker.once('exit', () => {
      this.#forget(pooled)
      ended.abort()
    })
    // The pending job fails through its own listener; an idle worker needs no more than removal.
    worker.on('error', () => this.#forget(pooled))
    // A thread that ends without an error would be waited for as long as the process lives.
    const [said] = await once(worker, 'message', { signal: ended.signal })
    if (typeof said === 'number') pooled.thread = said
    worker.unref()
    return pooled
  }

  #forget(pooled: PooledWorker): void {
    this.#all.delete(pooled)
    const at = this.#idle.indexOf(pooled)
    if (at >= 0) this.#idle.splice(at, 1)
  }

  #giveUp(pooled: PooledWorker, why: Gone): Reply {
    this.#forget(pooled)
    void pooled.worker.terminate()
    return why === 'late'
      ? failed('internal.verifier.timeout', `was not evaluated within ${this.#settings.limit} ms`)
      : failed('internal.verifier.exception', `ended the thread that evaluated it: ${why.error}`)
  }
}

function failed(kind: FailureKind & `internal.${string}`, what: string): Reply {
  return {
    result: { evaluation: failedEvaluation(kind, `the evidence ${what}`) },
    forgotten: [],
  }
}

/** Why a worker gave no answer. */
type Gone = 'late' | { readonly error: string }

/** The answer of a worker, which holds the process only while it is asked. */
function answerOf(
  { worker, thread }: PooledWorker,
  limit: number,
  ask: () => void,
): Promise<Reply | { readonly gone: Gone }> {
  return new Promise((resolve) => {
    const end = (outcome: Reply | { readonly gone: Gone }): void => {
      endWatch()
      worker.off('message', end).off('exit', exited).off('error', failed)
      worker.unref()
      resolve(outcome)
    }
    const worked = () => (thread === undefined ? undefined : threadTime(thread))
    const endWatch = watchWork(limit, worked, () => end({ gone: 'late' }))
    const exited = (): void => end({ gone: { error: 'it ended by itself' } })
    const failed = (error: NodeJS.ErrnoException): void =>
      end({ gone: { error: error.code ?? error.name } })
    worker.on('message', end).on('exit', exited).on('error', failed)
    worker.ref()
    ask()
  })
}

/** Threads of strangers: the system gives them what others leave, and they end rather than take more memory. */
const OF_STRANGERS: WorkerOptions = {
  workerData: { niceness: 10 },
  resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
}

/** Answers small tasks in this thread: it takes longer to hand one over than to evaluate it. */
function hereIf(
  isHere: (job: Job) => boolean,
  answer: (question: Question) => Reply,
  pool: WorkerPool,
): JobRunner {
  return {
    atOnce: pool.atOnce,
    run: async (job, patience) =>
      isHere(job) ? answer({ task: job.task }) : pool.run(job, patience),
    close: () => pool.close(),
  }
}

/** Evaluates by the shipped checks: small tasks here, others in threads of their own, so that none keeps a request waiting. */
export function evaluatingInWorkers(
  settings: EvaluatorSettings,
  start: (options: WorkerOptions) => Worker = (options) =>
    startThread('evaluation-worker', options),
  isHere: (job: Job) => boolean = isSmall,
): Evaluator {
  const { publicWorkers: workers } = settings
  const answer = answering(taskParts(shippedChecks))
  return evaluatorOn(
    hereIf(isHere, answer, new WorkerPool(settings, () => start({}))),
    hereIf(isHere, answer, new WorkerPool({ ...settings, workers }, () => start(OF_STRANGERS))),
  )
}
