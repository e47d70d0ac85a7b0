import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startMachine } from '../../simulator/machine/machine.ts'
import { createManufacturer } from '../../simulator/swtpm/manufacturer.ts'
import { openSwtpmPool } from '../../simulator/swtpm/pool.ts'
import { readProcess } from '../target/processes/process-table.ts'
import { createRunDirectory } from '../target/processes/run-directory.ts'
import { openMachineFactory } from './make-environment.ts'

test('a machine ends with its run even if its process was never recorded', async () => {
  const out = mkdtempSync(join(tmpdir(), 'factory-'))
  onTestFinished(() => rmSync(out, { recursive: true, force: true }))
  const run = createRunDirectory(out)
  const factory = await openMachineFactory(await createManufacturer({ now: new Date() }), run)
  let pid = 0
  const onProcess = (started: number) => {
    pid = started
  }
  const { directory, environment } = factory
  const tpms = openSwtpmPool({ directory, environment, onProcess })
  const machine = await startMachine({ ...factory, name: 'm', tpms })
  onTestFinished(() => machine.close())
  expect(readProcess(pid)?.hasEnded).toBe(false)
  await run.close()
  await expect.poll(() => readProcess(pid)).toBeUndefined()
})
