import type { Worker } from 'node:worker_threads'
import Table from 'cli-table3'
import { startThread } from '../../platform/start-thread.ts'
import { ENTRIES, LISTS } from './ima-worker-task.ts'

function startWorker(): Worker {
  return startThread('ima-worker')
}

function answer(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

/** Entries a second of some workers, each with lists of its own. */
async function rate(threads: number): Promise<number> {
  const workers = Array.from({ length: threads }, startWorker)
  await Promise.all(workers.map(answer))
  const start = performance.now()
  await Promise.all(
    workers.map((worker) => {
      const evaluated = answer(worker)
      worker.postMessage('evaluate')
      return evaluated
    }),
  )
  const seconds = (performance.now() - start) / 1000
  await Promise.all(workers.map((worker) => worker.terminate()))
  return (threads * LISTS * ENTRIES) / seconds
}

async function main(): Promise<void> {
  const table = new Table({ head: ['worker threads', 'entries a second', 'compared with one'] })
  const one = await rate(1)
  const two = await rate(2)
  table.push([1, Math.round(one), '1.00'], [2, Math.round(two), (two / one).toFixed(2)])
  console.log(table.toString())
}

await main()
