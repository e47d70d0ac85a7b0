import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../dev/testing/temporary-directory.ts'
import { createLog, openDestination } from './log.ts'

test('a process whose log lies on a full disk goes on, and ends', async () => {
  const full = openSync('/dev/full', 'w')
  const destination = openDestination(full)
  const failed = once(destination, 'error')
  const log = createLog('info', destination)
  log.info('first')
  await expect(failed).resolves.toMatchObject([{ code: 'ENOSPC' }])
  const failedAgain = once(destination, 'error')
  log.info('second')
  await failedAgain
  destination.flushSync()
  destination.destroy()
})

test('lines that are still unwritten at the end are written', () => {
  const file = join(temporaryDirectory(), 'log')
  const destination = openDestination(openSync(file, 'w'))
  const log = createLog('info', destination)
  for (const word of ['first', 'second']) log.info(word)
  destination.flushSync()
  // A line whose writing has begun may end behind the others.
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).msg).toSorted()).toEqual(['first', 'second'])
  destination.destroy()
})
