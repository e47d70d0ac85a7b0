import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { ownThread } from '../../platform/thread-time.ts'
import { answering, type Question } from './exchange.ts'
import { shippedChecks, taskParts } from './in-process-evaluator.ts'

const thread = ownThread()
const niceness = workerData?.niceness ?? 0
// Only Linux has a priority for each thread; elsewhere it would be that of the process. Users other than root may only lower it.
if (thread !== undefined && getPriority(thread) < niceness) setPriority(thread, niceness)

/** Entry of an evaluation thread: reports that it is ready, with its number, and then answers one question after another. */
const answer = answering(taskParts(shippedChecks))
parentPort?.on('message', (question: Question) => parentPort?.postMessage(answer(question)))
parentPort?.postMessage(thread ?? 'ready')
