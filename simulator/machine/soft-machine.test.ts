import { createVerify } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLab } from '../testing/lab.ts'
import { HAS_TOOLS, tool } from '../testing/tools.ts'
import { parseAttest } from '../tpm/attest.ts'
import { parseSignature } from '../tpm/signature.ts'
import { equal, text, toHex } from '../tpm/write.ts'
import { withSoftKeys } from './soft-machine.ts'

const lab = openLab()
const machine = await withSoftKeys(await lab.machine(), await lab.manufacturer())
const REQUEST = { qualifyingData: text('nonce'), bank: 'sha256', pcrs: [10] } as const

function verifies({ message, signature }: { message: Uint8Array; signature: Uint8Array }): boolean {
  const parsed = parseSignature(signature)
  if (parsed.kind !== 'rsa') return false
  return createVerify('sha256').update(message).verify(machine.ak.publicPem, parsed.sig)
}

test('a quote by a soft key verifies, and contains the PCRs of the TPM', async () => {
  const quote = await machine.quote(REQUEST)
  expect(verifies(quote)).toBe(true)
  expect(quote.pcrValues).toEqual(await machine.tpm.pcrRead('sha256', [10]))
})

test('a mutated structure verifies too, as it is signed afterwards', async () => {
  machine.mutateAttest = (attest) => ({ ...attest, clockInfo: { ...attest.clockInfo, safe: 0 } })
  const quote = await machine.quote(REQUEST)
  machine.mutateAttest = undefined
  expect([verifies(quote), parseAttest(quote.message).clockInfo.safe]).toEqual([true, 0])
})

test('a certification names the soft key', async () => {
  const { attested } = parseAttest((await machine.certify(REQUEST)).message)
  expect(attested.kind === 'certify' && equal(attested.name, machine.ak.name)).toBe(true)
})

const SECRET = text('thirty-two bytes of some secret!')

/** Makes a credential with an independent implementation. */
async function credentialFor(name: Uint8Array): Promise<Uint8Array> {
  const scratch = await lab.directory()
  const [ek, secret, blob] = ['ek', 'secret', 'blob'].map((file) => join(scratch, file))
  if (!ek || !secret || !blob) throw new Error('no files')
  await writeFile(ek, machine.ek.public)
  await writeFile(secret, SECRET)
  const inputs = ['-T', 'none', '-u', ek, '-s', secret, '-n', toHex(name)]
  await tool('tpm2_makecredential', ...inputs, '-o', blob)
  return new Uint8Array(await readFile(blob))
}

test.skipIf(!HAS_TOOLS)('a credential of tpm2_makecredential opens to its secret', async () => {
  const blob = await credentialFor(machine.ak.name)
  expect(await machine.activateCredential(blob)).toEqual(SECRET)
})

test.skipIf(!HAS_TOOLS)('a credential for another key is refused', async () => {
  const other = machine.ak.name.map((byte, at) => (at === 33 ? byte ^ 1 : byte))
  const opened = machine.activateCredential(await credentialFor(other))
  await expect(opened).rejects.toThrow('for another object')
})
