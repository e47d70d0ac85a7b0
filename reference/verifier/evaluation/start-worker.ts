import type { Worker } from 'node:worker_threads'
import { startThread } from '../../platform/start-thread.ts'

/** Starts a thread that evaluates evidence. */
export function startEvaluationWorker(): Worker {
  return startThread('evaluation-worker')
}
