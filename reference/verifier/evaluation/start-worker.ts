import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

/** Beside this file, and of its kind: TypeScript in a checkout, JavaScript in a package. */
const EXTENSION = extname(fileURLToPath(import.meta.url))
const FILE = fileURLToPath(new URL(`evaluation-worker${EXTENSION}`, import.meta.url))

/** A worker does not take over the loader of TypeScript on every Node, so it is told. */
export function startEvaluationWorker(): Worker {
  if (EXTENSION === '.js') return new Worker(FILE, { execArgv: [] })
  const start = `require('tsx/cjs/api').register(); require(${JSON.stringify(FILE)})`
  return new Worker(start, { eval: true, execArgv: [] })
}
