import { expect, test } from 'vitest'
import { openLab } from '../testing/lab.ts'
import { BANKS } from '../tpm/hash.ts'

const lab = openLab()
const ALL = Array.from({ length: 24 }, (_, pcr) => pcr)

test('a TPM has the PCRs that were allocated, from the next boot on', async () => {
  const machine = await lab.machine({ ak: 'ecc256' })
  const before = await machine.tpm.pcrRead('sha256', ALL)
  const left = ALL.filter((pcr) => pcr !== 20)
  await machine.tpm.pcrAllocate(left)
  await machine.reboot()
  for (const bank of BANKS)
    expect([...(await machine.tpm.pcrRead(bank, ALL)).keys()], bank).toEqual(left)
  before.delete(20)
  expect(await machine.tpm.pcrRead('sha256', left)).toEqual(before)
})
