import { parentPort } from 'node:worker_threads'
import { ENTRIES, LISTS } from './ima-worker-task.ts'
import { evaluateLongList, makeLongList } from './long-list.ts'

const list = makeLongList(ENTRIES)
evaluateLongList(list, 'ascii')
parentPort?.on('message', () => {
  for (let turn = 0; turn < LISTS; turn++) evaluateLongList(list, 'ascii')
  parentPort?.postMessage('evaluated')
})
parentPort?.postMessage('ready')
