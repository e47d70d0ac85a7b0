import { stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

/** Bytes of a log that are left where they are. */
export const LOG = 4 * 1024 * 1024

/** Milliseconds between two looks at the log. */
const LOOK_EVERY = 1000

/**
 * The source of the thread, as a text so that a bundle has it too: it repeats as long as another connection wrote
 * meanwhile, since a log restarts only after all of it was copied.
 */
const COPY = `
  const { file, libsql } = require('node:worker_threads').workerData
  const connection = new (require(libsql))(file)
  const copy = connection.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  for (let tries = 0, left = true; left && tries < 10; tries++) {
    const { log, checkpointed } = copy.get()
    left = log !== checkpointed
  }
  connection.close()`

/**
 * Checkpoints the write-ahead log of a SQLite file, in a thread of its own: a connection that writes a
 * policy of 20 MB would wait as long for the copy as for the write, and all requests with him. A copy that fails is made by
 * the one who writes, once the log is much larger.
 *
 * @returns what ends the looks at the log
 */
export function copyLog(file: string, every = LOOK_EVERY): () => void {
  const libsql = createRequire(import.meta.url).resolve('libsql')
  let isCopying = false
  let copiedAt = 0
  const look = async (): Promise<void> => {
    const { size, mtimeMs } = await stat(`${file}-wal`)
    if (isCopying || size <= LOG || mtimeMs === copiedAt) return
    isCopying = true
    copiedAt = mtimeMs
    const worker = new Worker(COPY, { eval: true, execArgv: [], workerData: { file, libsql } })
    worker.on('error', () => undefined)
    worker.once('exit', () => {
      isCopying = false
    })
    worker.unref()
  }
  const looks = setInterval(() => void look().catch(() => undefined), every).unref()
  return () => clearInterval(looks)
}
