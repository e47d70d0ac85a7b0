import type { Evaluation } from '../../evidence/evaluate.ts'
import type { Finding } from '../../evidence/findings.ts'
import { type Job, opened, type Reply } from './exchange.ts'
import type { IdentityTask, Judgement, PolicyReference, SentTask, StoredTask } from './task.ts'

/** Who judges evidence, in this thread or in others; nobody else has to know. */
export interface Evaluator {
  /** Evaluations that go on at the same time. */
  readonly atOnce: number
  /**
   * Judges evidence of a push attestation.
   *
   * @throws {Error} a fault of ours; nothing is known of the evidence then
   */
  judgeStored(task: StoredTask, policy: PolicyReference | undefined): Promise<Judgement>
  /**
   * Judges what verify/evidence was sent.
   *
   * @throws {ApiError} when a member cannot be read, or when too many wait
   */
  judgeSent(task: SentTask): Promise<Evaluation>
  /**
   * Judges what verify/identity was sent.
   *
   * @throws {ApiError} when too many wait
   */
  judgeIdentity(task: IdentityTask): Promise<readonly Finding[]>
  /** Ends what goes on in other threads. */
  close(): Promise<void>
}

/** What the settings say of evaluations. */
export interface EvaluatorSettings {
  /** Threads that evaluate. */
  readonly workers: number
  /** Milliseconds that one evaluation may take. */
  readonly limit: number
  /** Requests that may wait for a thread. */
  readonly waiting: number
}

/** Where jobs are done. */
export interface Place {
  readonly atOnce: number
  /** `patient`: it waits however many wait before it. */
  run(job: Job, patience: 'patient' | 'impatient'): Promise<Reply>
  close(): Promise<void>
}

export function evaluatorAt(place: Place): Evaluator {
  return {
    atOnce: place.atOnce,
    judgeStored: async (task, policy) => opened(await place.run({ task, policy }, 'patient')),
    judgeSent: async (task) => opened(await place.run({ task }, 'impatient')).evaluation,
    judgeIdentity: async (task) =>
      opened(await place.run({ task }, 'impatient')).evaluation.findings,
    close: () => place.close(),
  }
}
