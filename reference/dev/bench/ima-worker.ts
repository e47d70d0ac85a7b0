import { parentPort } from 'node:worker_threads'
import { ENTRIES, LISTS } from './ima-worker-task.ts'
import { judgeLongList, makeLongList } from './long-list.ts'

const list = makeLongList(ENTRIES)
judgeLongList(list, 'ascii')
parentPort?.on('message', () => {
  for (let turn = 0; turn < LISTS; turn++) judgeLongList(list, 'ascii')
  parentPort?.postMessage('judged')
})
parentPort?.postMessage('ready')
