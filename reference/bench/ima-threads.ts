import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import Table from 'cli-table3'
import { judgeLongList, makeLongList } from './long-list.ts'

const ENTRIES = 100_000
const LISTS = 4

/** In a worker: makes a list of its own, and judges it as often as it is told to. */
function serve(): void {
  const list = makeLongList(ENTRIES)
  judgeLongList(list, 'ascii')
  parentPort?.on('message', () => {
    for (let turn = 0; turn < LISTS; turn++) judgeLongList(list, 'ascii')
    parentPort?.postMessage('judged')
  })
  parentPort?.postMessage('ready')
}

function answer(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

/** Entries a second of some workers, each with lists of its own. */
async function rate(threads: number): Promise<number> {
  const workers = Array.from({ length: threads }, () => new Worker(fileURLToPath(import.meta.url)))
  await Promise.all(workers.map(answer))
  const start = performance.now()
  await Promise.all(
    workers.map((worker) => {
      const judged = answer(worker)
      worker.postMessage('judge')
      return judged
    }),
  )
  const seconds = (performance.now() - start) / 1000
  await Promise.all(workers.map((worker) => worker.terminate()))
  return (threads * LISTS * ENTRIES) / seconds
}

async function main(): Promise<void> {
  const table = new Table({ head: ['worker threads', 'entries a second', 'beside one'] })
  const one = await rate(1)
  const two = await rate(2)
  table.push([1, Math.round(one), '1.00'], [2, Math.round(two), (two / one).toFixed(2)])
  console.log(table.toString())
}

if (isMainThread) await main()
else serve()
