import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { systemRandom } from '../../platform/random.ts'
import { hashes } from '../../tpm/algorithms.ts'
import { extendPcr } from '../../tpm/commands/pcrs.ts'
import { digestOf } from '../../tpm/digest.ts'
import { startSwtpm } from '../../tpm/testing/swtpm.ts'
import { openTpm, type TpmConnection } from '../../tpm/transports/open-tpm.ts'
import { parseTcti } from '../../tpm/transports/parse-tcti.ts'
import { openAttester } from './attester.ts'

const NONCE = new Uint8Array(20)
const nodeKeyDigest = digestOf(hashes.sha256, NONCE)
const QUOTE = 0x158

/** A TPM in which another process extends a PCR right before each of the first `times` quotes. */
async function disturbed(pcr: number, times: number) {
  const { tcti } = await startSwtpm()
  const place = parseTcti(tcti)
  if (place === undefined) throw new Error(`${tcti} names no TPM`)
  const tpm = openTpm(place)
  let quotes = 0
  const transmit: TpmConnection['transmit'] = async (command) => {
    if (new DataView(command.buffer, command.byteOffset).getUint32(6) === QUOTE) {
      quotes += 1
      if (quotes <= times) await extendPcr(tpm.transmit, hashes.sha256, pcr, nodeKeyDigest)
    }
    return tpm.transmit(command)
  }
  const attester = await openAttester(
    { transmit, close: () => tpm.close() },
    {
      algorithms: { key: 'ecc256', hash: 'sha256', signing: 'ecdsa' },
      ...{ ekHandle: undefined, hierarchyPassword: new Uint8Array(), random: systemRandom },
      file: join(temporaryDirectory(), 'agent_data.json'),
    },
  )
  return { attester, count: () => quotes }
}

test.each([10, 16])('a quote is taken again when PCR %i changes before it', async (pcr) => {
  const { attester, count } = await disturbed(pcr, 2)
  await attester.quote({ nonce: NONCE, pcrs: [10, 16], nodeKeyDigest })
  expect(count()).toBe(3)
  await attester.close()
})

test('after five of them there is none', async () => {
  const { attester, count } = await disturbed(10, 9)
  await expect(attester.quote({ nonce: NONCE, pcrs: [10, 16], nodeKeyDigest })).rejects.toThrow(
    'the PCRs changed during each of 5 quotes',
  )
  expect(count()).toBe(5)
  await attester.close()
})
