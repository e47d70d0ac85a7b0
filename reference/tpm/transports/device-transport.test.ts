import { expect, test } from 'vitest'
import { hashes } from '../algorithms.ts'
import { readPcrs } from '../commands/pcrs.ts'
import { startTpmDevice } from '../testing/tpm-device.ts'
import { openTpm } from './open-tpm.ts'

const ALL = Array.from({ length: 24 }, (_, pcr) => pcr)

test('a TPM behind a character device answers one command after the other', async () => {
  const tpm = openTpm({ kind: 'device', path: await startTpmDevice() })
  const pcrs = await readPcrs(tpm.transmit, hashes.sha256, ALL)
  expect([...pcrs.keys()]).toEqual(ALL)
  expect(pcrs.get(0)).toEqual(new Uint8Array(32))
  await tpm.close()
})

test('a missing device is an error', async () => {
  const tpm = openTpm({ kind: 'device', path: '/dev/no-such-tpm' })
  await expect(tpm.transmit(new Uint8Array(10))).rejects.toThrow(
    'the TPM device /dev/no-such-tpm is not there',
  )
})
