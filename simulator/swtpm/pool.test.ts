import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Machine } from '../machine/machine.ts'
import { leaseTpm } from '../platform/manufactured-tpms.ts'
import { loadRecordedBoot } from '../platform/recorded-boot.ts'
import { openLab } from '../testing/lab.ts'
import { TPM_CAP } from '../tpm/constants.ts'
import { filled, toHex } from '../tpm/write.ts'
import { FULL_BOOT } from '../vectors/fixtures.ts'
import { openSwtpmPool, type SwtpmPool } from './pool.ts'

const lab = openLab()
const PCR = 16
const ALL_PCRS = Array.from({ length: 24 }, (_, pcr) => pcr)

interface Place {
  readonly directory: string
  readonly pool: SwtpmPool
  /** Ids of the processes that the pool has started. */
  readonly started: readonly number[]
  machine(name: string): Promise<Machine>
}

async function openPlace(): Promise<Place> {
  const directory = await lab.directory()
  const started: number[] = []
  const pool = openSwtpmPool({ directory, onProcess: (pid) => started.push(pid) })
  onTestFinished(() => pool.close())
  const machine = (name: string) => lab.machine({ name, directory, tpms: pool, ak: 'ecc256' })
  return { directory, pool, started, machine }
}

/** Returns the path of a directory that does not exist yet. */
async function place(): Promise<string> {
  return join(await lab.directory(), 'm')
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function pcrsOf({ tpm }: Machine): Promise<readonly string[]> {
  const read = await tpm.pcrRead('sha256', ALL_PCRS)
  return [...read.values()].map(toHex)
}

/** Returns the handles of transient, session and persistent objects and of NV indices of the TPM. */
async function handlesOf({ tpm }: Machine): Promise<readonly string[]> {
  const list = (property: number) =>
    tpm.getCapability({ capability: TPM_CAP.HANDLES, property, count: 64 })
  const lists = [await list(0x80000000), await list(0x81000000)]
  return lists.map(({ capabilityData }) => toHex(capabilityData))
}

test('the next machine has the same process, and no objects of the first one', async () => {
  const { machine, started } = await openPlace()
  const first = await machine('first')
  const [pcrs, handles] = [await pcrsOf(first), await handlesOf(first)]
  await first.createRogueAk()
  await first.tpm.pcrExtend(PCR, { sha256: filled(32, 7) })
  expect([await pcrsOf(first), await handlesOf(first)]).not.toEqual([pcrs, handles])
  await first.tpm.pcrAllocate(ALL_PCRS.slice(0, 20))
  await first.reboot()
  expect(await pcrsOf(first)).toHaveLength(20)
  await first.close()

  const second = await machine('second')
  expect([await pcrsOf(second), await handlesOf(second)]).toEqual([pcrs, handles])
  expect(started).toHaveLength(1)
  await second.reboot()
  await second.close()
  expect(await pcrsOf(await machine('third'))).toEqual(pcrs)
  expect(started).toHaveLength(1)
})

test('two concurrent machines have two processes', async () => {
  const { machine, started } = await openPlace()
  const both = [await machine('one'), await machine('two')]
  expect(new Set(both.map(({ ek }) => toHex(ek.public))).size).toBe(2)
  expect(started).toHaveLength(2)
})

test('a TPM that is released twice serves one machine at a time', async () => {
  const { machine, pool, started } = await openPlace()
  await (await machine('one')).close()
  const [boot, keys] = [await loadRecordedBoot(FULL_BOOT), { algorithm: 'ecc256' } as const]
  const manufacturer = await lab.manufacturer()
  const lease = await leaseTpm({ manufacturer, boot, kind: keys }, { directory: await place() })
  const tpm = await pool.take(lease.tpm.state)
  await Promise.all([tpm.stop(), tpm.stop()])
  const both = [await pool.take(lease.tpm.state), await pool.take(lease.tpm.state)]
  expect(new Set(both.map(({ pid }) => pid)).size).toBe(2)
  expect(started).toHaveLength(2)
  await Promise.all(both.map((one) => one.stop()))
})

test('an idle process that died is replaced', async () => {
  const { machine, started } = await openPlace()
  await (await machine('one')).close()
  process.kill(started[0] ?? 0, 'SIGKILL')
  expect(await pcrsOf(await machine('two'))).toHaveLength(ALL_PCRS.length)
  expect(started).toHaveLength(2)
})

test('closing the pool ends idle processes at once and the others with their machines', async () => {
  const { directory, machine, pool, started } = await openPlace()
  const [one, two] = [await machine('one'), await machine('two')]
  await one.serveUnix()
  await one.close()
  await pool.close()
  expect(started.map(isAlive)).toEqual([false, true])
  await two.close()
  expect(started.map(isAlive)).toEqual([false, false])
  expect(readdirSync(directory)).toEqual([])
  expect(existsSync(directory)).toBe(true)
})
