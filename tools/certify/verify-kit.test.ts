import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { type KitFiles, verifyKit } from './kit/verify-kit.ts'
import { SIGNER, sampleKit, signerWith, withStatement, withSums } from './testing/sample-kit.ts'
import { CATALOGUE, PROFILE, sampleRun } from './testing/sample-runs.ts'
import { TAMPERED_FILES } from './testing/tampered-files.ts'
import { TAMPERED_RUNS } from './testing/tampered-runs.ts'

const TAMPERED = [...TAMPERED_FILES, ...TAMPERED_RUNS]

const catalogueOf = () => CATALOGUE

const verdictOn = (files: KitFiles) =>
  verifyKit(files, { catalogueOf }).refusals.map(({ says }) => says)

test.each(TAMPERED)('%s is refused', async (_what, tamper, says) => {
  const refusals = verdictOn(await tamper(await sampleKit()))
  expect(refusals.join('\n')).toContain(says)
})

test('there are at least forty tamperings, each with a sentence of its own', () => {
  expect(new Set(TAMPERED.map(([, , says]) => says)).size).toBeGreaterThanOrEqual(40)
})

test('the untouched kit is valid, and so is one with the same statement, signed again', async () => {
  const kit = await sampleKit()
  expect(verdictOn(kit)).toEqual([])
  expect(verdictOn(await withStatement(kit, (text) => text))).toEqual([])
  expect(verdictOn(withSums(kit))).toEqual([])
  expect(
    verdictOn(await sampleKit({ runs: [1, 2, 3].map((number) => sampleRun(number)) })),
  ).toEqual([])
})

test.each([
  ['ECDSA P-256', generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'sha256'],
  ['ECDSA P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' }), 'sha384'],
  ['RSA', generateKeyPairSync('rsa', { modulusLength: 2048 }), 'sha256'],
] as const)('a kit can be signed with %s', async (_what, { privateKey: key, publicKey }, hash) => {
  const kit = await sampleKit({ signer: signerWith(key, publicKey, hash) })
  expect(verdictOn(kit)).toEqual([])
})

test('a key that is given must be that of the kit', async () => {
  const kit = await sampleKit()
  const own = verifyKit(kit, { catalogueOf, trusted: SIGNER.publicKey })
  expect(own.refusals).toEqual([])
  const trusted = generateKeyPairSync('ed25519').publicKey
  const [refusal] = verifyKit(kit, { catalogueOf, trusted }).refusals
  expect(refusal?.says).toBe('the kit is signed by another key than that of --key')
})

test('a certificate says what it does not cover', async () => {
  const { statement } = verifyKit(await sampleKit(), { catalogueOf })
  expect(statement?.predicate).toMatchObject({
    result: 'WARNED',
    passedTests: expect.arrayContaining(['registrar.added@2.5', 'registrar.store@3.0']),
    warnedTests: ['registrar.silent@2.5', 'registrar.silent@3.0'],
  })
  expect(statement?.predicate.configuration[1]?.annotations).toMatchObject({
    profile: PROFILE.name,
    rows: 6,
    rows_not_covered: [
      { row: 'REG-DEVICE', why: 'the target file does not list the capability device_identity' },
    ],
  })
})
