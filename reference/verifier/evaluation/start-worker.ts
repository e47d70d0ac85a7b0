import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { moduleFile } from '../../module-file.ts'

const FILE = moduleFile('evaluation-worker', import.meta.url)

/** A worker does not take over the loader of TypeScript on every Node, so it is told. */
export function startEvaluationWorker(): Worker {
  if (extname(FILE) !== '.ts') return new Worker(FILE, { execArgv: [] })
  return new Worker(startText(), { eval: true, execArgv: [] })
}

/** By whole paths: text that is evaluated looks for packages in whatever directory the person is in. */
export function startText(): string {
  const loader = createRequire(import.meta.url).resolve('tsx/cjs/api')
  return `require(${JSON.stringify(loader)}).register(); require(${JSON.stringify(FILE)})`
}
