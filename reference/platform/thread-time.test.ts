import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { ownThread, threadTime } from './thread-time.ts'

test('the time of a thread grows with its work, and that of another does not', async () => {
  const source = `const { parentPort } = require('node:worker_threads')
    parentPort.postMessage(Number(require('node:fs').readlinkSync('/proc/thread-self').split('/').at(-1)))
    parentPort.on('message', () => undefined)`
  const idle = new Worker(source, { eval: true })
  onTestFinished(() => void idle.terminate())
  const [thread] = await once(idle, 'message')
  const [ours, before] = [threadTime() ?? 0, threadTime(thread) ?? 0]
  while ((threadTime() ?? 0) < ours + 200);
  expect((threadTime(thread) ?? 0) - before).toBeLessThan(200)
  expect(threadTime(ownThread())).toBeGreaterThanOrEqual(ours + 200)
})

test('the time of a thread that does not exist is not known', () => {
  expect(threadTime(0)).toBeUndefined()
})
