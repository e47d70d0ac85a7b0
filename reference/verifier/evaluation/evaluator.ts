import type { Evaluation } from '../../evidence/evaluate.ts'
import type { Finding } from '../../evidence/findings.ts'
import { type PolicyUpload, readSignedPolicy } from '../policies/read-policy-upload.ts'
import { type Job, opened, openedText, type Reply } from './exchange.ts'
import type {
  IdentityTask,
  PolicyReference,
  PolledTask,
  SentTask,
  StoredTask,
  TaskResult,
} from './task.ts'

/** Who judges evidence, in this thread or in others; nobody else has to know. */
export interface Evaluator {
  /** Evaluations that go on at the same time. */
  readonly atOnce: number
  /**
   * Judges evidence of a push attestation.
   *
   * @throws {Error} a fault of ours; nothing is known of the evidence then
   */
  evaluateStored(task: StoredTask, policy: PolicyReference | undefined): Promise<TaskResult>
  /**
   * Judges what an agent answered that was asked for a quote.
   *
   * @throws {Error} a fault of ours; nothing is known of the evidence then
   */
  evaluatePolled(task: PolledTask, policy: PolicyReference | undefined): Promise<TaskResult>
  /**
   * Judges what verify/evidence was sent.
   *
   * @throws {ApiError} when a member cannot be read, or when too many wait
   */
  evaluateSent(task: SentTask): Promise<Evaluation>
  /**
   * Judges what verify/identity was sent.
   *
   * @throws {ApiError} when too many wait
   */
  evaluateIdentity(task: IdentityTask): Promise<readonly Finding[]>
  /**
   * Checks the signature of a runtime policy that is uploaded, reads it, and gives its text.
   *
   * @throws {ApiError} when it cannot be used, or when too many wait
   */
  readUpload(upload: PolicyUpload): Promise<string>
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

/** Characters of an upload that are read sooner than another thread is asked to. */
const SMALL = 65_536

export function evaluatorOn(place: Place): Evaluator {
  return {
    atOnce: place.atOnce,
    evaluateStored: async (task, policy) => opened(await place.run({ task, policy }, 'patient')),
    evaluatePolled: async (task, policy) => opened(await place.run({ task, policy }, 'patient')),
    evaluateSent: async (task) => opened(await place.run({ task }, 'impatient')).evaluation,
    evaluateIdentity: async (task) =>
      opened(await place.run({ task }, 'impatient')).evaluation.findings,
    readUpload: async (upload) =>
      upload.runtime_policy.length <= SMALL
        ? readSignedPolicy(upload)
        : openedText(await place.run({ task: { kind: 'upload', upload } }, 'impatient')),
    close: () => place.close(),
  }
}
