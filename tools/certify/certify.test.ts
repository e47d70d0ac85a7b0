import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { certify } from './certify.ts'
import { readSubject } from './kit/subjects.ts'
import { SIGNER, SUBJECTS } from './testing/sample-kit.ts'
import { CATALOGUE } from './testing/sample-runs.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'assay-certify-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
})

/** What is printed before any run, with the exit code. */
async function refusalOf(text: string): Promise<{ code: number; printed: string }> {
  const target = join(directory, 'ours.target.yaml')
  writeFileSync(target, text)
  writeFileSync(join(directory, 'w.yaml'), 'waivers: []\n')
  const printed: string[] = []
  const stream = { write: (text: string) => printed.push(text) }
  const parts = { subjects: SUBJECTS, signer: SIGNER, catalogue: CATALOGUE, stream }
  const out = join(directory, 'kit')
  const code = await certify({ target, out, ...parts })
  expect(existsSync(out)).toBe(false)
  return { code, printed: printed.join('') }
}

const REGISTRAR = 'registrar: { url: https://127.0.0.1:8891 }'
const TLS = 'tls: { ca: ca.crt, admin: { certificate: a.crt, key: a.key } }'
const file = (roles: string, versions: string, more: string) =>
  `name: ours\nversions: [${versions}]\nroles: { ${roles} }\n${more}\n${TLS}\n`
const STORE = 'capabilities: [ek_store]'

test.each([
  ['a role', file('verifier: { url: https://127.0.0.1:8881 }', "'3.0'", STORE), 'role registrar'],
  ['a version', file(REGISTRAR, "'2.0'", STORE), 'an API version of 2.1 or later'],
  ['a capability', file(REGISTRAR, "'3.0'", ''), 'the capability ek_store'],
])('without %s of the profile nothing is run', async (_what, text, says) => {
  const { code, printed } = await refusalOf(text)
  expect(code).toBe(1)
  expect(printed).toContain(
    `no certificate: the profile sample requires ${says.replace(/^role/, 'the role')}`,
  )
  expect(printed).toMatch(/\nnext: add .+\n$/)
})

test.each([
  ['waivers', 'waivers: w.yaml'],
  ['profile', 'profile: keylime'],
])('with %s in the target file nothing is run', async (word, line) => {
  const { code, printed } = await refusalOf(file(REGISTRAR, "'3.0'", `${STORE}\n${line}`))
  expect(code).toBe(1)
  expect(printed).toContain(`ours.target.yaml has ${word}, and a certificate allows no excuse`)
})

test('a directory that is not empty is not written to', async () => {
  mkdirSync(join(directory, 'kit'))
  writeFileSync(join(directory, 'kit', 'old'), '')
  await expect(refusalOf(file(REGISTRAR, "'3.0'", STORE))).rejects.toMatchObject({
    sentence: expect.stringMatching(/kit is not empty$/),
  })
})

test('a subject is a file, or a name with a digest', async () => {
  const path = join(directory, 'ours.tar')
  writeFileSync(path, 'packed')
  const sha256 = createHash('sha256').update('packed').digest('hex')
  expect(await readSubject(path)).toEqual({ name: 'ours.tar', digest: { sha256 } })
  expect(await readSubject(`registry/ours=sha256:${sha256}`)).toEqual({
    name: 'registry/ours',
    digest: { sha256 },
  })
  await expect(readSubject('ours=sha256:00')).rejects.toMatchObject({
    sentence: 'the subject ours=sha256:00 cannot be read (ENOENT)',
  })
})
