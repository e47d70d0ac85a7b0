import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLab } from '../testing/lab.ts'
import { parseAttest } from '../tpm/attest.ts'
import { BANKS } from '../tpm/hash.ts'
import { text, toHex } from '../tpm/write.ts'
import type { Machine } from './machine.ts'

const lab = openLab()
const ALL_PCRS = Array.from({ length: 16 }, (_, pcr) => pcr)

/** The whole state of a machine except the number of its starts. */
async function look(machine: Machine) {
  const { ek, ak, ima, uefi, bootTime, tpm } = machine
  const pcrs: string[] = []
  for (const bank of BANKS)
    pcrs.push(...[...(await tpm.pcrRead(bank, ALL_PCRS)).values()].map(toHex))
  const logs = [ima.ascii(), ima.binary(), uefi.bytes]
  return { keys: [ek, ak], logs, bootTime, pcrs }
}

async function countsOf(machine: Machine) {
  const asked = { qualifyingData: text('nonce'), bank: 'sha256', pcrs: [10] } as const
  const { resetCount, restartCount } = parseAttest((await machine.quote(asked)).message).clockInfo
  return { resetCount, restartCount }
}

/** A machine that keeps its state, and a function that resumes it. */
async function suspendedMachine(past: string) {
  const state = join(await lab.directory(), 'state')
  const machine = await lab.machine({ ak: 'ecc256', state })
  await machine.play(past)
  const wake = () => lab.machine({ ak: 'ecc256', state, past })
  return { machine, state, wake }
}

const PASTS = [
  ['was tampered with', 'measure /usr/bin/new\nviolation /usr/bin/w\nextend 7 00'],
  ['rebooted', 'measure /usr/bin/new\nreboot\nreboot\nbuf label 0011'],
  ['has other firmware', 'reboot shim-grub\ntemplate ima-ng\nmeasure /usr/bin/new'],
  [
    'lies',
    'measure /usr/bin/new\nfault entry-removed\nfault uefi-aggregate-untied\nfault uefi-cut-1\nsuspend',
  ],
] as const

test.each(PASTS)('a machine that %s resumes in its earlier state', async (_, past) => {
  const { machine, wake } = await suspendedMachine(past)
  const [before, counts] = [await look(machine), await countsOf(machine)]
  await machine.close()
  const woken = await wake()
  expect(woken.beginning).toBe('woken')
  expect(await look(woken)).toEqual(before)
  expect(await countsOf(woken)).toEqual({ ...counts, restartCount: counts.restartCount + 1 })
})

test('events after a resume reach the PCRs and the list', async () => {
  const past = 'template ima-ng'
  const { machine, wake } = await suspendedMachine(past)
  await machine.close()
  const woken = await wake()
  const before = await look(woken)
  await woken.play('measure /usr/bin/new')
  const after = await look(woken)
  expect(after.pcrs).not.toEqual(before.pcrs)
  expect(new TextDecoder().decode(woken.ima.ascii())).toMatch(/ima-ng \S+ \/usr\/bin\/new\n$/)
  await woken.play('reboot')
  expect(await countsOf(woken)).toMatchObject({ restartCount: 0 })
})

test('a machine whose power was cut boots again with its keys', async () => {
  const { machine, state, wake } = await suspendedMachine(
    'measure /usr/bin/new\nreboot shim-grub\nextend 7 00',
  )
  const [before, counts] = [await look(machine), await countsOf(machine)]
  // Without a shutdown, the TPM has only what it has written by now.
  const written = readFileSync(join(state, 'tpm2-00.permall'))
  await machine.close()
  writeFileSync(join(state, 'tpm2-00.permall'), written)
  const woken = await wake()
  expect(woken.beginning).toBe('booted')
  const now = await look(woken)
  expect(now.keys).toEqual(before.keys)
  expect(now.pcrs).not.toEqual(before.pcrs)
  expect(now.bootTime).toBe('2026-01-01T00:00:40Z')
  expect(await countsOf(woken)).toEqual({ resetCount: counts.resetCount + 1, restartCount: 0 })
  const fresh = await lab.machine({ ak: 'ecc256' })
  await fresh.play('reboot shim-grub\nreboot')
  expect(now).toEqual({ ...(await look(fresh)), keys: before.keys })
})

test('a machine with a past cannot be started without its state', async () => {
  const waking = lab.machine({ ak: 'ecc256', past: '' })
  await expect(waking).rejects.toThrow('TPM2_ReadPublic was refused with TPM_RC_HANDLE')
})

test('a damaged state is refused and left unchanged', async () => {
  const { machine, state, wake } = await suspendedMachine('')
  await machine.close()
  const file = join(state, 'tpm2-00.permall')
  const whole = readFileSync(file)
  writeFileSync(file, whole.subarray(0, 100))
  await expect(wake()).rejects.toThrow(/^swtpm ended at once with 1/)
  expect(statSync(file).size).toBe(100)
  writeFileSync(file, whole)
  expect((await wake()).beginning).toBe('woken')
})
