import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

const HERE = fileURLToPath(import.meta.url)

/** The folder of the build that this code is part of; where a test runs the sources, the one that it has made. */
function buildFolder(): string {
  if (!HERE.endsWith('.ts')) return dirname(HERE)
  const build = process.env['ASSAY_BUILD_REFERENCE']
  if (build === undefined)
    throw new Error('threads run a build, and ASSAY_BUILD_REFERENCE names none')
  return build
}

/** A build is two folders below the root, like this file. */
const THREAD = new URL('../../bin/bootstrap/thread.js', import.meta.url)

/**
 * Starts a thread that runs an entry point of the build (bin/bootstrap/entries.js).
 * @throws Error when the sources are run and nothing was built
 */
export function startThread(entry: string, options: WorkerOptions = {}): Worker {
  return new Worker(THREAD, { ...options, argv: [buildFolder(), entry], execArgv: [] })
}
