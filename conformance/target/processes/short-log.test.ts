import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../testing/test-support.ts'
import { createRunDirectory } from './run-directory.ts'
import { MOST_LOG_BYTES, readEnd, shortenLog } from './short-log.ts'
import { lastOutput, spawnRecorded } from './spawn-recorded.ts'

test('a log that is too long keeps both ends, and says how much it left out, also after a second time', () => {
  const file = join(temporaryDirectory(), 'a.log')
  writeFileSync(file, `begin${'.'.repeat(90)}end..`)
  shortenLog(file, 100, 5)
  expect(readFileSync(file, 'utf8')).toHaveLength(100)
  appendFileSync(file, 'x')
  shortenLog(file, 100, 5)
  expect(readFileSync(file, 'utf8')).toBe('begin\n[91 bytes left out]\nnd..x')
  appendFileSync(file, `${'.'.repeat(1000)}last.`)
  shortenLog(file, 100, 5)
  expect(readFileSync(file, 'utf8')).toBe('begin\n[1,096 bytes left out]\nlast.')
})

test('a log that does not exist has no end', () => {
  const file = join(temporaryDirectory(), 'a.log')
  shortenLog(file, 1, 1)
  expect([readEnd(file, 10), existsSync(file)]).toEqual(['', false])
})

/** Starts a program of Node as a role would be. */
async function started(program: string) {
  const run = createRunDirectory(temporaryDirectory())
  onTestFinished(() => run.close())
  const command = { command: [process.execPath, '-e', program], cwd: '/', env: {} }
  const names = { what: 'verifier', key: 'roles.verifier.start', file: 'a.yaml', log: 'verifier' }
  return await spawnRecorded({ ...names, command, code: 'D-START-NOT-FOUND' }, run)
}

test('controls in the last output of a process are spelled out', async () => {
  const running = await started(String.raw`console.error('\x1b]0;owned\x07\x1b[2Jwhy')`)
  await running.ended
  expect(lastOutput(running)).toBe(String.raw`\x1b]0;owned\x07\x1b[2Jwhy`)
})

test('the log of a process that writes without an end stays short', async () => {
  // What is written while the log is shortened is lost, so the last words come when its log is short.
  const running = await started(`
    const { fstatSync, writeSync } = require('node:fs')
    const text = 'a'.repeat(1024 * 1024)
    for (let sent = 0; sent < 300; sent++) writeSync(2, text)
    const timer = setInterval(() => {
      if (fstatSync(2).size > ${MOST_LOG_BYTES}) return
      clearInterval(timer)
      writeSync(2, 'the end')
    }, 1)`)
  await running.ended
  expect(statSync(running.logs.err).size).toBeLessThan(8 * 1024 * 1024)
  expect(lastOutput(running)).toMatch(/^…a+the end$/)
})
