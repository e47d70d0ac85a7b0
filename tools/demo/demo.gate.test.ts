import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startAssay } from '../../conformance/selftest/command.ts'
import { findMarked } from '../../conformance/target/processes/end-processes.ts'

/** Starts the demonstration with a directory of its own for temporary files, up to its first step. */
async function startDemo() {
  const temporary = mkdtempSync(join(tmpdir(), 'demo-'))
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }))
  const demo = startAssay(['demo'], { env: { TMPDIR: temporary } })
  await demo.prints('1 of 5')
  const [own = ''] = readdirSync(temporary).filter((name) => name.startsWith('assay-up-'))
  const runs = join(temporary, own, 'runs')
  const [run = ''] = readdirSync(runs).filter((name) => !name.startsWith('.'))
  expect(findMarked(join(runs, run))).not.toEqual([])
  return { ...demo, leftovers: () => [...readdirSync(temporary), ...findMarked(join(runs, run))] }
}

test('the demonstration shows a pass, a failure with its path, and the recovery, and leaves nothing', async () => {
  const { ended, leftovers } = await startDemo()
  const { code, stdout, stderr } = await ended
  expect([code, stderr], stdout).toEqual([0, ''])
  expect(stdout.match(/(PASS|FAIL) after/g)).toEqual([
    ...['PASS after', 'FAIL after', 'FAIL after', 'PASS after'],
  ])
  expect(stdout).toMatch(
    /measured: 10 [0-9a-f]{40} ima-sig sha256:[0-9a-f]{64} \/usr\/bin\/intruder/,
  )
  expect(stdout).toContain('entry 0: "/usr/bin/intruder" is not in the runtime policy')
  expect(stdout).toContain('node bin/assay.js up')
  expect(leftovers()).toEqual([])
})

test('Ctrl-C ends the demonstration with exit code 2, and leaves nothing', async () => {
  const { child, ended, leftovers } = await startDemo()
  child.kill('SIGINT')
  expect(await ended).toMatchObject({ code: 2, stderr: '' })
  expect(leftovers()).toEqual([])
})
