import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { createManufacturer } from '../swtpm/manufacturer.ts'
import { NOW, openLab } from '../testing/lab.ts'

const lab = openLab()
const PCRS = Array.from({ length: 24 }, (_, pcr) => pcr)

test('a machine starts from the recorded state of a TPM, certified by another manufacturer', async () => {
  const first = await lab.machine({ ak: 'ecc256' })
  const manufacturer = await createManufacturer({ now: NOW, name: 'Another Manufacturer' })
  const second = await lab.machine({ ak: 'ecc256', booted: first.booted, manufacturer })
  expect(second.ek.public).toEqual(first.ek.public)
  expect(second.ak.public).toEqual(first.ak.public)
  expect(await second.tpm.pcrRead('sha256', PCRS)).toEqual(await first.tpm.pcrRead('sha256', PCRS))
  const issuers = [first, second].map(({ ek }) => new X509Certificate(ek.certificate).issuer)
  expect(issuers).toEqual(['CN=Assay TPM Manufacturer', 'CN=Another Manufacturer'])
  expect((await second.deviceIdentity()).iak.public).toEqual(
    (await first.deviceIdentity()).iak.public,
  )
})

test('the state of a TPM with another attestation key is rejected', async () => {
  const { booted } = await lab.machine({ ak: 'ecc256' })
  await expect(lab.machine({ ak: 'ecc384', booted })).rejects.toThrow('attestation key')
})
