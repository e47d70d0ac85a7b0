import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runAssay } from './command.ts'

const BOOT = 'fixtures/boots/full-ovmf-imasig'
const directory = mkdtempSync(join(tmpdir(), 'assay-evidence-verbs-'))

afterAll(() => rmSync(directory, { recursive: true, force: true }))

const parts = ['attest', 'sig', 'pcrs'].map((part) => `${BOOT}/rsassa_sha256_10.${part}`)
const QUOTE = join(directory, 'quote.txt')
writeFileSync(QUOTE, `r${parts.map((file) => readFileSync(file).toString('base64')).join(':')}\n`)

const NONCE = 'Ab3dEfGh1jKlMnOpQrSt'
const WIDE = { env: { COLUMNS: '160' } }
const verify = (...words: readonly string[]) =>
  runAssay(['verify-evidence', '--quote', QUOTE, '--ak', `${BOOT}/ak_rsa.tpm2b_public`, ...words])

test('assay inspect shows that a quote verifies under its key', async () => {
  const words = ['inspect', 'quote', QUOTE, '--ak', `${BOOT}/ak_rsa.pem`]
  const { code, stdout, stderr } = await runAssay(words, WIDE)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('"Ab3dEfGh1jKlMnOpQrSt" – the nonce the verifier asked for')
  expect(stdout).toContain(`ok  verified: the key in ${BOOT}/ak_rsa.pem signed this message`)
})

test('assay inspect exits with 1 for a damaged file, after showing the intact part', async () => {
  const cut = join(directory, 'cut.attest')
  writeFileSync(cut, readFileSync(`${BOOT}/rsassa_sha256_10.attest`).subarray(0, 70))
  const { code, stdout } = await runAssay(['inspect', 'attest', cut], WIDE)
  expect(code).toBe(1)
  expect(stdout).toContain('made by a TPM – the mark')
  expect(stdout).toContain(
    'BROKEN  TPMS_ATTEST at byte 64, in clockInfo.clock: 8 bytes are wanted here',
  )
})

test('assay inspect exits with 2 and one sentence for a missing file', async () => {
  expect(await runAssay(['inspect', 'imalog', '/none'])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'assay: /none: there is no such file\nnext: give a file that is there, or - for standard input\n',
  })
})

test('assay inspect --json prints only JSON', async () => {
  const { code, stdout } = await runAssay([
    'inspect',
    'imalog',
    `${BOOT}/ascii_after_tools`,
    '--json',
  ])
  expect([code, JSON.parse(stdout).schema]).toEqual([0, 'assay.inspect/1'])
})

test('assay verify-evidence exits with 0 for valid evidence, and 1 for another nonce', async () => {
  const [valid, stale] = await Promise.all([verify('--nonce', NONCE), verify('--nonce', 'another')])
  expect([valid.code, stale.code]).toEqual([0, 1])
  expect(valid.stdout).toMatch(/^valid: .*\n {2}sha256 10 {2}[0-9a-f]{64}\n/)
  expect(stale.stdout).toMatch(
    /^not valid \(broken_evidence_chain\): 1 failure\n {2}quote_validation\./,
  )
})

test('assay verify-evidence exits with 2 for a missing file, and names the option', async () => {
  const { code, stdout, stderr } = await verify('--nonce', NONCE, '--ima', '/none')
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^assay: --ima \/none: there is no such file\nnext: give the text list/)
})

test('both verbs have a help text', async () => {
  const [inspect, offline] = await Promise.all([
    runAssay(['inspect', '--help']),
    runAssay(['verify-evidence', '--help']),
  ])
  expect([inspect.code, offline.code]).toEqual([0, 0])
  expect(inspect.stdout).toContain('--entries <number|all>')
  expect(offline.stdout).toContain('Exit code 0: valid. 1: not valid. 2: it could not be judged')
})
