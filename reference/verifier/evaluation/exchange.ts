import { ApiError, type ErrorCode } from '../../errors.ts'
import { readSignedPolicy } from '../policies/read-policy-upload.ts'
import { evaluateTask, type TaskParts } from './evaluate-task.ts'
import { type PolicyMemory, policyMemory } from './policy-memory.ts'
import type { PolicyReference, Task, TaskResult, UploadTask } from './task.ts'

/** A request to an evaluation thread. */
export interface Question {
  readonly task: Task | UploadTask
  /** The policy of the task; its text comes along where the thread does not have it. */
  readonly policy?: { readonly digest: string; readonly text?: Uint8Array } | undefined
}

/** The reply of an evaluation thread: plain data, like the question. */
export interface Reply {
  readonly result?: TaskResult
  /** Text of an uploaded policy. */
  readonly text?: string
  /** A fault of the sender, returned to it unchanged. */
  readonly refusal?: {
    readonly code: ErrorCode
    readonly detail: string
    readonly pointer: string | undefined
  }
  /** An internal fault. */
  readonly fault?: { readonly message: string; readonly stack: string | undefined }
  /** Digests of policies that were evicted: their text must be sent again. */
  readonly forgotten: readonly string[]
}

/** Answers questions one after another and caches policies between them. */
export function answering(
  parts: TaskParts,
  memory: PolicyMemory = policyMemory(),
): (question: Question) => Reply {
  return ({ task, policy }) => {
    const outcome = tried(() =>
      task.kind === 'upload'
        ? { text: readSignedPolicy(task.upload) }
        : {
            result: {
              ...evaluateTask(parts, task, policy && recall(memory, policy)),
              policy: policy?.digest,
            },
          },
    )
    return { ...outcome, forgotten: memory.forgotten() }
  }
}

function recall(memory: PolicyMemory, { digest, text }: NonNullable<Question['policy']>) {
  const known = memory.find(digest)
  if (known !== undefined) return known
  if (text === undefined) throw new Error('the policy is not cached, and its text was not sent')
  return memory.learn(digest, text)
}

type Outcome = Omit<Reply, 'forgotten'>

function tried(act: () => Outcome): Outcome {
  try {
    return act()
  } catch (error) {
    if (error instanceof ApiError)
      return { refusal: { code: error.code, detail: error.message, pointer: error.pointer } }
    return { fault: faultOf(error) }
  }
}

/** The parts of an error that cross to another thread. */
export function faultOf(error: unknown): NonNullable<Reply['fault']> {
  return error instanceof Error
    ? { message: `${error.name}: ${error.message}`, stack: error.stack }
    : { message: String(error), stack: undefined }
}

/**
 * The task result of a reply.
 *
 * @throws {ApiError} a refusal
 * @throws {Error} a fault, with the stack it had where it happened
 */
export function opened(reply: Reply): TaskResult {
  if (reply.result !== undefined) return reply.result
  throw errorOf(reply)
}

/**
 * The text of an upload, as `opened`.
 *
 * @throws {Error} also when the place was given up before it had read it
 */
export function openedText(reply: Reply): string {
  if (reply.text !== undefined) return reply.text
  const [givenUp] = reply.result?.evaluation.findings ?? []
  throw givenUp === undefined ? errorOf(reply) : new Error(givenUp.context.message)
}

function errorOf({ refusal, fault }: Reply): Error {
  if (refusal !== undefined) {
    const { code, detail, pointer } = refusal
    return new ApiError(code, detail, pointer === undefined ? {} : { pointer })
  }
  const error = new Error(fault?.message ?? 'a thread that evaluates gave no answer')
  if (fault?.stack !== undefined) error.stack = fault.stack
  return error
}

/** A task and the policy it needs. */
export interface Job {
  readonly task: Task | UploadTask
  readonly policy?: PolicyReference | undefined
}

/**
 * The question of a job to a place that has been sent the policies `sent`, and what changes hands with it: texts and
 * evidence are large, and this thread does not read them again.
 */
export async function questionOf(
  { task, policy }: Job,
  sent: ReadonlySet<string>,
): Promise<{ readonly question: Question; readonly moved: readonly ArrayBuffer[] }> {
  const bytes = bytesOf(task)
  if (policy === undefined) return { question: { task }, moved: buffersOf(bytes) }
  const { digest } = policy
  if (sent.has(digest)) return { question: { task, policy: { digest } }, moved: buffersOf(bytes) }
  const loaded = await policy.load()
  const text = new TextEncoder().encode(loaded.text)
  return {
    question: { task, policy: { digest: loaded.digest, text } },
    moved: buffersOf([...bytes, text]),
  }
}

function bytesOf(task: Job['task']): readonly Uint8Array[] {
  if (task.kind === 'stored') return [task.evidence]
  return task.kind === 'unread' ? [task.body] : []
}

function buffersOf(bytes: readonly Uint8Array[]): readonly ArrayBuffer[] {
  return bytes.map(({ buffer }) => buffer as ArrayBuffer)
}

/** Updates the set of policies that the thread has cached. */
export function keepStep(sent: Set<string>, { policy }: Question, reply: Reply): void {
  if (policy !== undefined && reply.fault === undefined) sent.add(policy.digest)
  for (const digest of reply.forgotten) sent.delete(digest)
}
