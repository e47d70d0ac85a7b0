import { expect, test } from 'vitest'
import type { Machine } from '../machine/machine.ts'
import { openLab } from '../testing/lab.ts'
import { parseAttest } from '../tpm/attest.ts'
import { keyObjectOf, parseTpm2bPublic } from '../tpm/public.ts'
import { parseSignature, verifySignature } from '../tpm/signature.ts'
import { text, toHex } from '../tpm/write.ts'

const lab = openLab()
const NONCE = text('Ab3dEfGh1jKlMnOpQrSt')
const BOOT_PCRS = [0, 7, 10]

async function look(machine: Machine) {
  const { message, signature } = await machine.quote({
    ...{ qualifyingData: NONCE, bank: 'sha256', pcrs: BOOT_PCRS },
  })
  const key = keyObjectOf(parseTpm2bPublic(machine.ak.public))
  expect(verifySignature(message, parseSignature(signature), key)).toBe(true)
  const { resetCount, restartCount } = parseAttest(message).clockInfo
  const values = await machine.tpm.pcrRead('sha256', BOOT_PCRS)
  return { resetCount, restartCount, pcrs: [...values.values()].map(toHex) }
}

test('a reboot restores PCRs and list to those of the boot, and keeps the key', async () => {
  const machine = await lab.machine({ ak: 'ecc256' })
  const booted = await look(machine)
  await machine.play('measure /usr/bin/new\nextend 7 00')
  const ran = await look(machine)
  expect(ran.pcrs).not.toEqual(booted.pcrs)
  await machine.play('reboot')
  const again = await look(machine)
  expect(again).toEqual({ ...booted, resetCount: booted.resetCount + 1, restartCount: 0 })
  expect(machine.ima.count).toBe(20)
})

test('a later boot has a later time', async () => {
  const machine = await lab.machine({ ak: 'ecc256' })
  await machine.play('reboot')
  expect(machine.bootTime).toBe('2026-01-01T00:00:20Z')
})

test('a suspension keeps PCRs and list, and counts the restart', async () => {
  const machine = await lab.machine({ ak: 'ecc256' })
  await machine.play('measure /usr/bin/new')
  const before = await look(machine)
  await machine.play('suspend\nsuspend')
  const after = await look(machine)
  expect(after).toEqual({ ...before, restartCount: before.restartCount + 2 })
  expect([machine.ima.count, machine.bootTime]).toEqual([21, '2026-01-01T00:00:00Z'])
})

test('a rebooted machine opens credentials and serves others at the same place', async () => {
  const machine = await lab.machine({ ak: 'ecc256' })
  const { tcti } = await machine.serveUnix()
  await machine.play('reboot')
  expect((await machine.serveUnix()).tcti).toBe(tcti)
  const ek = await machine.tpm.readPublic(machine.ek.handle)
  const ak = await machine.tpm.readPublic(machine.ak.handle)
  expect([ek.name, ak.name]).toEqual([machine.ek.name, machine.ak.name])
})

test('commands sent during a reboot are answered after it', async () => {
  const machine = await lab.machine({ ak: 'ecc256' })
  const rebooting = machine.reboot()
  const random = machine.tpm.getRandom(4)
  await rebooting
  expect(await random).toHaveLength(4)
})

test('a closed machine cannot be rebooted', async () => {
  const machine = await lab.machine({ ak: 'ecc256' })
  await machine.close()
  await expect(machine.play('reboot')).rejects.toThrow(/^script line 1: the TPM has been closed$/)
})
