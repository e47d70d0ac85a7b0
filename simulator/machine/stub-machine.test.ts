import { createPublicKey, createVerify } from 'node:crypto'
import { expect, test } from 'vitest'
import { loadRecordedBoot, loadRecordedPcrs } from '../platform/recorded-boot.ts'
import { createManufacturer } from '../swtpm/manufacturer.ts'
import { openLab } from '../testing/lab.ts'
import { parseAttest } from '../tpm/attest.ts'
import { BANKS } from '../tpm/hash.ts'
import { parseSignature, verifySignature } from '../tpm/signature.ts'
import { cat, text, toHex } from '../tpm/write.ts'
import { FULL_BOOT } from '../vectors/fixtures.ts'
import { newRsaAttester } from './native-attester.ts'
import { stubMachine } from './stub-machine.ts'

const manufacturer = await createManufacturer({ now: new Date() })
const boot = await loadRecordedBoot(FULL_BOOT)
const made = (name: string) => stubMachine({ name, boot, manufacturer })
const lab = openLab()
const REQUEST = { qualifyingData: text('nonce'), bank: 'sha256', pcrs: [0, 10, 16] } as const
const PCRS = Array.from({ length: 24 }, (_, pcr) => pcr)

test('its PCRs after the recorded boot equal the recorded ones', async () => {
  const { tpm } = await made('recorded')
  const recorded = await loadRecordedPcrs(FULL_BOOT)
  for (const bank of BANKS)
    for (const [pcr, value] of await tpm.pcrRead(bank, PCRS))
      expect(toHex(value)).toBe(recorded.get(`${bank} ${pcr}`))
})

test('after the same events its PCRs equal those of a TPM', async () => {
  const [real, soft] = [await lab.machine(), await made('same')]
  const script = 'measure /bin/a\nviolation /bin/a\nextend 23 00ff\nreboot\nbuf label 0102\nsuspend'
  await real.play(script)
  await soft.play(script)
  expect(await soft.tpm.pcrRead('sha256', PCRS)).toEqual(await real.tpm.pcrRead('sha256', PCRS))
  expect(soft.ima.ascii()).toEqual(real.ima.ascii())
})

test('a quote covers the request and verifies under its own key', async () => {
  const machine = await made('quoting')
  const { message, signature, pcrValues } = await machine.quote(REQUEST)
  const parsed = parseSignature(signature)
  const pair = parsed.kind === 'ecc' ? cat(parsed.r, parsed.s) : new Uint8Array()
  const key = { key: machine.ak.publicPem, dsaEncoding: 'ieee-p1363' } as const
  expect(createVerify('sha256').update(message).verify(key, pair)).toBe(true)
  expect([...pcrValues.keys()]).toEqual(REQUEST.pcrs)
})

test('an RSA key in place of its own is named so, and signs its quotes', async () => {
  const attester = newRsaAttester('rsa')
  const machine = await stubMachine({ name: 'rsa', boot, manufacturer, attester })
  const { message, signature } = await machine.quote(REQUEST)
  expect(machine.ak).toMatchObject({ algorithm: 'rsa2048', public: attester.public })
  const key = createPublicKey(machine.ak.publicPem)
  expect(verifySignature(message, parseSignature(signature), key)).toBe(true)
})

test('two machines have different keys, and a name always has the same key', async () => {
  const [one, again, other] = [await made('one'), await made('one'), await made('other')]
  expect(one.ak.public).toEqual(again.ak.public)
  expect(one.ak.public).not.toEqual(other.ak.public)
})

test('reboots and resumes are counted', async () => {
  const machine = await made('counting')
  await machine.play('suspend\nsuspend')
  const resumed = parseAttest((await machine.quote(REQUEST)).message).clockInfo
  await machine.reboot()
  const reset = parseAttest((await machine.quote(REQUEST)).message).clockInfo
  expect([resumed.resetCount, resumed.restartCount]).toEqual([1, 2])
  expect([reset.resetCount, reset.restartCount]).toEqual([2, 0])
  expect(reset.clock).toBeGreaterThan(resumed.clock)
})

test('a mutated structure verifies too, as it is signed afterwards', async () => {
  const machine = await made('lying')
  machine.mutateAttest = (attest) => ({ ...attest, magic: 0 })
  expect(parseAttest((await machine.quote(REQUEST)).message).magic).toBe(0)
})
