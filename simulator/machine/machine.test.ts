import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { quotePcrs } from '../platform/quote-pcrs.ts'
import { loadRecordedPcrs } from '../platform/recorded-boot.ts'
import type { CommandRecord } from '../swtpm/broker.ts'
import { NOW, openLab } from '../testing/lab.ts'
import { parseAttest } from '../tpm/attest.ts'
import { TPM_ALG, TPM_GENERATED_VALUE, TPM_ST } from '../tpm/constants.ts'
import { BANKS, type Bank, digest } from '../tpm/hash.ts'
import { keyObjectOf, nameOf, parseTpm2bPublic, spkiOf } from '../tpm/public.ts'
import { parseSignature, verifySignature } from '../tpm/signature.ts'
import { bindTpm } from '../tpm/tpm.ts'
import { cat, filled, text, toHex } from '../tpm/write.ts'
import { FULL_BOOT, fixture, neighbouringBoot } from '../vectors/fixtures.ts'
import type { Machine } from './machine.ts'
import { startMachine } from './machine.ts'

const lab = openLab()
const ALL_PCRS = Array.from({ length: 24 }, (_, pcr) => pcr)
const NONCE = text('Ab3dEfGh1jKlMnOpQrSt')

let machine: Machine

beforeAll(async () => {
  machine = await lab.machine()
})

async function allPcrs(of: Machine): Promise<Map<string, string>> {
  const values = new Map<string, string>()
  for (const bank of BANKS) {
    const read = await of.tpm.pcrRead(bank, ALL_PCRS)
    for (const [pcr, value] of read) values.set(`${bank} ${pcr}`, toHex(value))
  }
  return values
}

function verifies(
  key: { readonly public: Uint8Array },
  attestation: { readonly message: Uint8Array; readonly signature: Uint8Array },
): boolean {
  const object = keyObjectOf(parseTpm2bPublic(key.public))
  return verifySignature(attestation.message, parseSignature(attestation.signature), object)
}

for (const name of ['full-ovmf-imasig', 'imang', 'imasigv2', 'seabios']) {
  const boot = name === 'full-ovmf-imasig' ? FULL_BOOT : (neighbouringBoot(name) ?? '')
  test.skipIf(boot === '')(
    `all 96 PCRs after ${name} equal those of the real machine`,
    async () => {
      const replayed = await lab.machine({ boot, ak: 'ecc256' })
      const recorded = await loadRecordedPcrs(boot)
      expect(recorded.size).toBe(96)
      expect(await allPcrs(replayed)).toEqual(recorded)
      await replayed.close()
    },
  )
}

test('the lists of a machine are those of the boot', () => {
  expect(machine.ima.count).toBe(20)
  expect(machine.ima.ascii()).toEqual(fixture('ascii_before_tools'))
  expect(machine.ima.binary()).toEqual(fixture('binary_before_tools'))
  expect(machine.uefi.bytes).toEqual(fixture('binary_bios_measurements'))
})

test('a partial list starts at the requested entry', () => {
  const lines = new TextDecoder().decode(machine.ima.ascii(18)).split('\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toMatch(/\/mnt\/data\/tomtou $/)
})

test('the EK certificate in NV is signed by the manufacturer, for this EK', async () => {
  const certificate = new X509Certificate(machine.ek.certificate)
  const ca = new X509Certificate((await lab.manufacturer()).certificatePem)
  expect(certificate.verify(ca.publicKey)).toBe(true)
  expect(certificate.checkIssued(ca)).toBe(true)
  const spki = certificate.publicKey.export({ type: 'spki', format: 'der' })
  expect(new Uint8Array(spki)).toEqual(spkiOf(parseTpm2bPublic(machine.ek.public)))
})

test('the EK certificate has the fields of the EK certificate profile', () => {
  const certificate = new X509Certificate(machine.ek.certificate)
  expect([certificate.subject ?? '', certificate.ca]).toEqual(['', false])
  expect(certificate.keyUsage).toEqual(['2.23.133.8.1'])
  for (const attribute of ['2.23.133.2.1', '2.23.133.2.2', '2.23.133.2.3']) {
    expect(certificate.subjectAltName).toContain(`${attribute}=`)
  }
  expect(new Date(certificate.validFrom).getTime()).toBeLessThan(NOW.getTime())
})

test('the EK has the attributes and the policy of the recorded one', () => {
  const [made, recorded] = [machine.ek.public, fixture('ek_rsa.tpm2b_public')].map(parseTpm2bPublic)
  expect({ ...made, unique: '' }).toEqual({ ...recorded, unique: '' })
})

test('the AK has the attributes of the recorded one, and its own Name', () => {
  const [made, recorded] = [machine.ak.public, fixture('ak_rsa.tpm2b_public')].map(parseTpm2bPublic)
  expect(made?.objectAttributes).toBe(0x00050072)
  expect({ ...made, unique: '' }).toEqual({ ...recorded, unique: '' })
  expect(nameOf(machine.ak.public)).toEqual(machine.ak.name)
})

test.each(['rsa2048', 'ecc256'] as const)('a quote by an %s AK verifies', async (ak) => {
  const one = await lab.machine({ ak })
  const quote = await one.quote({ qualifyingData: NONCE, bank: 'sha256', pcrs: [0, 7, 10] })
  expect(verifies(one.ak, quote)).toBe(true)
  const { magic, type, extraData } = parseAttest(quote.message)
  expect([magic, type, extraData]).toEqual([TPM_GENERATED_VALUE, TPM_ST.ATTEST_QUOTE, NONCE])
})

test.each([1, 8, 9, 16, 17, 24])('a quote over %i PCRs carries as many values', async (count) => {
  const pcrs = ALL_PCRS.slice(0, count)
  const quote = await machine.quote({ qualifyingData: NONCE, bank: 'sha256', pcrs })
  expect([...quote.pcrValues.keys()]).toEqual(pcrs)
  expect(quote.blob).toHaveLength(136 + 532 * Math.ceil(count / 8))
})

test.each(BANKS)('a quote over the %s bank digests the recorded values', async (bank: Bank) => {
  const quote = await machine.quote({ qualifyingData: NONCE, bank, pcrs: [0, 10] })
  const recorded = await loadRecordedPcrs(FULL_BOOT)
  expect([...quote.pcrValues.values()].map(toHex)).toEqual(
    [0, 10].map((pcr) => recorded.get(`${bank} ${pcr}`)),
  )
})

test('a PCR that changes between read and quote is read again', async () => {
  const one = await lab.machine({ ak: 'ecc256' })
  let disturbances = 2
  const disturbed = bindTpm(async (command) => {
    const response = await one.tpm.transmit(command)
    if (toHex(command.subarray(6, 10)) === '0000017e' && disturbances-- > 0) {
      await one.extend(16, NONCE)
    }
    return response
  })
  const handle = one.ak.handle
  const request = { qualifyingData: NONCE, bank: 'sha256', pcrs: [16], handle } as const
  const quote = await quotePcrs(disturbed, request)
  const values = await one.tpm.pcrRead('sha256', [16])
  expect(quote.pcrValues).toEqual(values)
})

test('a measured file is in the list and in PCR 10 of every bank', async () => {
  const one = await lab.machine({ ak: 'ecc256' })
  const before = await one.tpm.pcrRead('sha512', [10])
  const entry = await one.measure('/usr/bin/new', filled(32, 7))
  const extended = cat(before.get(10) ?? filled(0), entry.templateHash, filled(44))
  expect(one.ima.count).toBe(21)
  expect((await one.tpm.pcrRead('sha512', [10])).get(10)).toEqual(digest('sha512', extended))
  expect(new TextDecoder().decode(one.ima.ascii(20))).toMatch(
    /^10 [0-9a-f]{40} ima-sig sha256:(07){32} \/usr\/bin\/new \n$/,
  )
})

test('an extension without a log entry changes every bank of the PCR', async () => {
  const one = await lab.machine({ ak: 'ecc256' })
  await one.tpm.pcrReset(16)
  await one.extend(16, NONCE)
  for (const bank of BANKS) {
    const zero = filled(digest(bank, NONCE).length)
    const wanted = digest(bank, cat(zero, digest(bank, NONCE)))
    expect((await one.tpm.pcrRead(bank, [16])).get(16)).toEqual(wanted)
  }
})

test('the AK certifies itself and another key', async () => {
  const rogue = await machine.createRogueAk({ algorithm: 'ecc256' })
  for (const object of [machine.ak, rogue]) {
    const attestation = await machine.certify({ qualifyingData: NONCE, object: object.handle })
    expect(verifies(machine.ak, attestation)).toBe(true)
    expect(parseAttest(attestation.message)).toMatchObject({
      type: TPM_ST.ATTEST_CERTIFY,
      extraData: NONCE,
      attested: { name: object.name },
    })
  }
})

test('the AK attests the time, and the result is not a quote', async () => {
  const attestation = await machine.getTime({ qualifyingData: NONCE })
  expect(verifies(machine.ak, attestation)).toBe(true)
  expect(parseAttest(attestation.message)).toMatchObject({
    type: TPM_ST.ATTEST_TIME,
    extraData: NONCE,
  })
})

test('the clock of a TPM is set forward, and its time since the power came goes on', async () => {
  const before = await machine.tpm.readClock()
  await machine.tpm.clockSet(before.clock + 3_600_000n)
  const { time, clock } = await machine.tpm.readClock()
  expect(clock - before.clock).toBeGreaterThanOrEqual(3_600_000n)
  expect(time - before.time).toBeLessThan(3_600_000n)
})

test('a rogue key of the same TPM signs and is another key', async () => {
  const rogue = await machine.createRogueAk()
  const request = { qualifyingData: NONCE, bank: 'sha256', pcrs: [10] } as const
  const quote = await machine.quote({ ...request, handle: rogue.handle })
  expect(verifies(rogue, quote)).toBe(true)
  expect(verifies(machine.ak, quote)).toBe(false)
})

test('an unrestricted key signs bytes made outside the TPM, and the AK refuses to', async () => {
  const rogue = await machine.createRogueAk({ algorithm: 'ecc256', restricted: false })
  const forged = cat(filled(4), NONCE)
  const hash = digest('sha256', forged)
  const signature = await machine.tpm.sign({ keyHandle: rogue.handle, digest: hash })
  expect(verifies(rogue, { message: forged, signature })).toBe(true)
  const scheme = { alg: TPM_ALG.RSASSA, hash: TPM_ALG.SHA256 }
  const refused = machine.tpm.sign({ keyHandle: machine.ak.handle, digest: hash, scheme })
  await expect(refused).rejects.toThrow(/TPM2_Sign was refused with TPM_RC_TICKET/)
})

test('a closed machine leaves no directory, and a second close has no effect', async () => {
  const records: CommandRecord[] = []
  const directory = await lab.directory()
  const one = await lab.machine({
    directory,
    ak: 'ecc256',
    onCommand: (seen) => records.push(seen),
  })
  await one.serveUnix()
  expect(existsSync(join(directory, 'm', 'tpm'))).toBe(true)
  await Promise.all([one.close(), one.close()])
  expect(existsSync(join(directory, 'm'))).toBe(false)
  expect(records.at(-1)?.command).toBe('TPM2_Shutdown')
  await expect(one.tpm.getRandom(4)).rejects.toMatchObject({ code: 'closed' })
})

test('a machine with a missing boot leaves nothing behind', async () => {
  const directory = await lab.directory()
  const options = { directory, name: 'm', boot: directory, manufacturer: await lab.manufacturer() }
  await expect(startMachine(options)).rejects.toThrow(/binary_/)
  expect(existsSync(join(directory, 'm'))).toBe(false)
})

test('a name that leaves the directory is refused', async () => {
  const manufacturer = await lab.manufacturer()
  const directory = await lab.directory()
  const options = { directory, name: '../m', boot: FULL_BOOT, manufacturer }
  await expect(startMachine(options)).rejects.toThrow(/invalid machine name "\.\.\/m"/)
})

test('the identity of a device is certified by its maker, and its IAK certifies the attestation key', async () => {
  const { iak, idevid } = await machine.deviceIdentity()
  const maker = new X509Certificate((await lab.manufacturer()).certificate)
  for (const key of [iak, idevid]) {
    const certificate = new X509Certificate(key.certificate)
    expect(certificate.verify(maker.publicKey)).toBe(true)
    expect(certificate.publicKey.equals(keyObjectOf(parseTpm2bPublic(key.public)))).toBe(true)
  }
  const made = await machine.certify({ qualifyingData: NONCE, signer: iak.handle })
  const { attested, extraData } = parseAttest(made.message)
  expect(attested).toMatchObject({ kind: 'certify', name: machine.ak.name })
  expect(toHex(extraData)).toBe(toHex(NONCE))
  expect(verifies(iak, made)).toBe(true)
})

test('the identity is created once', async () => {
  expect(await machine.deviceIdentity()).toBe(await machine.deviceIdentity())
})
