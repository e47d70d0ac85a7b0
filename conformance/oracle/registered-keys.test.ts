import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeCheck } from '../attempt/check.ts'
import { base64 } from '../client/bytes.ts'
import { packageRoot } from '../input/package-root.ts'
import type { CheckResult } from '../report/result.ts'
import { checkAttestationKey, checkEndorsement } from './registered-keys.ts'

const FOLDER = join(packageRoot(), 'fixtures', 'boots', 'full-ovmf-imasig')
const recorded = (name: string) => readFileSync(join(FOLDER, `${name}.tpm2b_public`))
const AIK = base64(recorded('ak_rsa'))
const EK = recorded('ek_rsa')

type Check = Parameters<typeof checkAttestationKey>[0]

/** What failed, of the checks that `run` makes. */
function failuresOf(run: (check: Check) => void): readonly string[] {
  const results: CheckResult[] = []
  run(makeCheck(['REQ'], { lastExchange: () => 0, add: (result) => results.push(result) }))
  return results.filter(({ ok }) => !ok).map(({ what }) => what)
}

test.each([
  ['a TPM2B_PUBLIC in base64', AIK, []],
  ['a list with one', [AIK], ['aik_tpm is a TPM2B_PUBLIC']],
  ['one after a space', ` ${AIK}`, ['aik_tpm is a TPM2B_PUBLIC']],
  ['a JSON text of one', JSON.stringify(AIK), ['aik_tpm is a TPM2B_PUBLIC']],
  ['nothing', undefined, ['aik_tpm is a TPM2B_PUBLIC']],
  [
    'one with a byte after it',
    base64(Buffer.concat([recorded('ak_rsa'), Buffer.of(0)])),
    ['bytes after it'],
  ],
])('the registered attestation key is %s: failures %#', (_, aikTpm, failures) => {
  expect(failuresOf((check) => checkAttestationKey(check, 'REQ', aikTpm))).toEqual(failures)
})

test.each([
  ['its TPM2B_PUBLIC', base64(EK), []],
  ['a number', 7, ['whether ek_tpm is a TPM2B_PUBLIC', 'forms of an endorsement key']],
  [
    'a JSON text',
    JSON.stringify(base64(EK)),
    ['whether ek_tpm is a TPM2B_PUBLIC', 'forms of an endorsement key'],
  ],
])('the registered endorsement key is %s: failures %#', (_, ek_tpm, failures) => {
  const agent = { machine: { ek: { public: EK } }, registration: { body: { ek_tpm } } }
  const checked = agent as unknown as Parameters<typeof checkEndorsement>[2]
  expect(failuresOf((check) => checkEndorsement(check, 'REQ', checked))).toEqual(failures)
})
