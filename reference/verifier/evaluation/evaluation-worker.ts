import { parentPort } from 'node:worker_threads'
import { ownThread } from '../../platform/thread-time.ts'
import { answering, type Question } from './exchange.ts'
import { shippedChecks, taskParts } from './in-process-evaluator.ts'

/** Entry of an evaluation thread: reports that it is ready, with its number, and then answers one question after another. */
const answer = answering(taskParts(shippedChecks))
parentPort?.on('message', (question: Question) => parentPort?.postMessage(answer(question)))
parentPort?.postMessage(ownThread() ?? 'ready')
