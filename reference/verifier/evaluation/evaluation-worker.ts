import { parentPort } from 'node:worker_threads'
import { answering, type Question } from './exchange.ts'
import { shippedChecks, taskParts } from './in-process-evaluator.ts'

/** The whole of a thread that evaluates: it says that it is there, and then answers one question after another. */
const answer = answering(taskParts(shippedChecks))
parentPort?.on('message', (question: Question) => parentPort?.postMessage(answer(question)))
parentPort?.postMessage('ready')
