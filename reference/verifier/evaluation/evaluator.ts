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
  UnreadTask,
} from './task.ts'

/** Evaluates evidence, in this thread or in worker threads; callers do not see the difference. */
export interface Evaluator {
  /** Evaluations that go on at the same time. */
  readonly atOnce: number
  /**
   * Evaluates the evidence of a push attestation.
   *
   * @throws {Error} on an internal fault; it says nothing about the evidence
   */
  evaluateStored(task: StoredTask, policy: PolicyReference | undefined): Promise<TaskResult>
  /**
   * Evaluates an agent's answer to a quote request.
   *
   * @throws {Error} on an internal fault; it says nothing about the evidence
   */
  evaluatePolled(task: PolledTask, policy: PolicyReference | undefined): Promise<TaskResult>
  /**
   * Evaluates a verify/evidence request.
   *
   * @throws {ApiError} if a member cannot be read, or if too many requests wait
   */
  evaluateSent(task: SentTask): Promise<Evaluation>
  /**
   * Evaluates a verify/evidence request whose body is still unread.
   *
   * @throws {ApiError} if it cannot be read, or if too many requests wait
   */
  evaluateUnread(task: UnreadTask): Promise<Evaluation>
  /**
   * Evaluates a verify/identity request.
   *
   * @throws {ApiError} if too many requests wait
   */
  evaluateIdentity(task: IdentityTask): Promise<readonly Finding[]>
  /**
   * Checks the signature of an uploaded runtime policy, parses it, and returns its text.
   *
   * @throws {ApiError} if the policy cannot be used, or if too many requests wait
   */
  readUpload(upload: PolicyUpload): Promise<string>
  /** Terminates the worker threads. */
  close(): Promise<void>
}

/** Settings of the evaluator. */
export interface EvaluatorSettings {
  /** Threads that evaluate evidence of agents, and read policies. */
  readonly workers: number
  /** Threads that evaluate for clients without a credential. */
  readonly publicWorkers: number
  /** Milliseconds of CPU time that one evaluation may take. */
  readonly limit: number
  /** Requests that may wait for a thread, of each kind of client. */
  readonly waiting: number
}

/** Runs jobs. */
export interface JobRunner {
  readonly atOnce: number
  /** A `patient` job joins a queue of any length; an `impatient` one is refused if the queue is full. */
  run(job: Job, patience: 'patient' | 'impatient'): Promise<Reply>
  close(): Promise<void>
}

/** Uploads up to this length are parsed here: handing them to another thread takes longer. */
const SMALL = 65_536

/** The evaluator on a runner of the jobs of agents and administrators, and one of those of any other client. */
export function evaluatorOn(runner: JobRunner, ofStrangers: JobRunner = runner): Evaluator {
  return {
    atOnce: runner.atOnce,
    evaluateStored: async (task, policy) => opened(await runner.run({ task, policy }, 'patient')),
    evaluatePolled: async (task, policy) => opened(await runner.run({ task, policy }, 'patient')),
    evaluateSent: async (task) => opened(await ofStrangers.run({ task }, 'impatient')).evaluation,
    evaluateUnread: async (task) => opened(await ofStrangers.run({ task }, 'impatient')).evaluation,
    evaluateIdentity: async (task) =>
      opened(await ofStrangers.run({ task }, 'impatient')).evaluation.findings,
    readUpload: async (upload) =>
      upload.runtime_policy.length <= SMALL
        ? readSignedPolicy(upload)
        : openedText(await runner.run({ task: { kind: 'upload', upload } }, 'impatient')),
    close: async () => void (await Promise.all([runner.close(), ofStrangers.close()])),
  }
}
