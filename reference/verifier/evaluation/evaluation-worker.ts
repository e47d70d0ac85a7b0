import { parentPort } from 'node:worker_threads'
import { judgeParts, shippedChecks } from './evaluate-here.ts'
import { answering, type Question } from './exchange.ts'

/** The whole of a thread that evaluates: it says that it is there, and then answers one question after another. */
const answer = answering(judgeParts(shippedChecks))
parentPort?.on('message', (question: Question) => parentPort?.postMessage(answer(question)))
parentPort?.postMessage('ready')
