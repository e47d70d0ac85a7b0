import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, expect, test } from 'vitest'
import { toBase64 } from '../../bytes/base64.ts'
import { runtimePolicy } from '../../dev/testing/runtime-policy.ts'
import { testVerifier } from '../../dev/testing/verifier/test-verifier.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { parseEvidenceOptions } from './options.ts'
import { readRequest } from './request.ts'
import { verifyEvidenceMain } from './verify-evidence.ts'

const NONCE = 'Ab3dEfGh1jKlMnOpQrSt'
const directory = mkdtempSync(join(tmpdir(), 'assay-offline-'))
let files = 0

afterAll(() => rmSync(directory, { recursive: true, force: true }))

function boot(file: string): string {
  return fileURLToPath(new URL(`../../../fixtures/boots/full-ovmf-imasig/${file}`, import.meta.url))
}

function quoteText(name = 'rsassa_sha256_10'): string {
  return `r${['attest', 'sig', 'pcrs'].map((part) => toBase64(recorded(`${name}.${part}`))).join(':')}`
}

/** A file of this test with some content. */
function file(content: string | Uint8Array): string {
  files += 1
  const path = join(directory, String(files))
  writeFileSync(path, content)
  return path
}

/** Words of the command, with some options changed; undefined takes one away. */
function words(change: Readonly<Record<string, string | undefined>> = {}): string[] {
  const options = {
    nonce: NONCE,
    quote: quoteText(),
    ak: boot('ak_rsa.tpm2b_public'),
    ...change,
  }
  return Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  )
}

function say(argv: readonly string[]): { readonly code: number; readonly text: string } {
  let text = ''
  const write = (more: string) => {
    text += more
  }
  return { code: verifyEvidenceMain(argv, { write }), text }
}

function sayJson(change: Readonly<Record<string, string | undefined>> = {}) {
  const { code, text } = say([...words(change), '--json'])
  return { code, ...JSON.parse(text) }
}

test('a right quote is valid, with the PCR values it proves', () => {
  const { code, text } = say(words())
  expect(code).toBe(0)
  expect(text).toMatch(/^valid: .*\n {2}sha256 10 {2}[0-9a-f]{64}\nnote: no log and no policy/)
})

test('another nonce is not valid, with type and message', () => {
  const { code, text } = say(words({ nonce: 'Ab3dEfGh1jKlMnOpQrSu' }))
  expect(code).toBe(1)
  expect(text).toContain(
    'not valid (broken_evidence_chain): 1 failure\n  quote_validation.quote_validation\n    TPMS_ATTEST.extraData is not the nonce',
  )
})

test('the quote and the TPM policy may be texts or files', () => {
  const policy = JSON.stringify({ 10: ['00'.repeat(32)] })
  const inText = sayJson({ 'tpm-policy': policy })
  expect(inText.failures).toMatchObject([{ type: 'pcr_validation.invalid_pcr_10' }])
  expect(sayJson({ quote: file(`${quoteText()}\n`), 'tpm-policy': file(policy) })).toEqual(inText)
})

test.each<[string, string]>([
  ['rsassa_sha256_10', 'ak_rsa'],
  ['rsapss_sha256_10_16', 'ak_rsapss'],
  ['ecdsa256_sha256_10_16', 'ak_ecc256'],
  ['ecdsa384_sha384_10', 'ak_ecc384'],
])('%s is valid under %s in each of its forms', (name, key) => {
  const given = { quote: quoteText(name), 'hash-alg': name.split('_')[1] }
  const forms = [
    boot(`${key}.tpm2b_public`),
    file(`${toBase64(recorded(`${key}.tpm2b_public`))}\n`),
    boot(`${key}.pem`),
  ]
  expect(forms.map((ak) => sayJson({ ...given, ak }).valid)).toEqual([true, true, true])
})

test('a PEM says that the attributes of the key were not checked; a TPM2B_PUBLIC does not', () => {
  const notes = (ak: string) => sayJson({ ak: boot(ak) }).notes.join()
  expect(notes('ak_rsa.pem')).toMatch(/--ak is a PEM.*not checked/)
  expect(notes('ak_rsa.tpm2b_public')).not.toContain('--ak')
})

test('the PEM of another key is not valid', () => {
  const { code, failures } = sayJson({ ak: boot('ak_rsapss.pem') })
  expect(code).toBe(1)
  expect(failures[0].context.message).toBe('the signature does not verify under the key')
})

const POLICY = runtimePolicy({ '/usr/bin/true': ['00'.repeat(32)] })

test.each<[string, Record<string, string>]>([
  ['a list', { ima: boot('ascii_after_tools') }],
  ['a list and a policy', { ima: boot('ascii_after_tools'), policy: file(POLICY) }],
  ['a policy without a list', { policy: file(POLICY) }],
  ['a list of another time', { ima: boot('ascii_before_tools') }],
  ['a firmware log', { 'mb-log': boot('binary_bios_measurements') }],
  ['a boot policy without a log', { 'mb-policy': file('{"has_secureboot":false}') }],
  ['an unknown hash', { 'hash-alg': 'constructor' }],
])('%s has the verdict and the failures of the endpoint', async (_, change) => {
  const options = parseEvidenceOptions(words(change))
  const { body } = options === undefined ? { body: undefined } : readRequest(options)
  const verifier = await testVerifier()
  const answer = await verifier.ask('verify-evidence', {}, body)
  const { valid, claims, failures } = sayJson(change)
  expect({ valid, claims, failures }).toEqual(JSON.parse(JSON.stringify(answer.body)))
  expect(valid).toBe(failures.length === 0)
})

test('the JSON of either verdict fits the published schema', () => {
  const path = new URL('../../../reports/schema/verify-evidence.schema.json', import.meta.url)
  const fits = new Ajv2020({ strict: true }).compile(JSON.parse(readFileSync(path, 'utf8')))
  for (const change of [{}, { nonce: 'another' }, { ima: boot('ascii_after_tools') }]) {
    const { code, ...verdict } = sayJson(change)
    fits(verdict)
    expect([code, fits.errors]).toEqual([verdict.valid ? 0 : 1, null])
  }
})

test('a list is judged by the settings of the verifier', () => {
  const argv = words({ ima: boot('ascii_after_tools') })
  const set = ['--set', 'ignore_tomtou_errors=True']
  expect([say(argv).code, say([...argv, ...set]).code]).toEqual([1, 0])
})

test.each<[string, Record<string, string | undefined>, RegExp, RegExp]>([
  ['a missing nonce', { nonce: undefined }, /'--nonce <text>' not specified/, /--help/],
  ['an empty nonce', { nonce: '' }, /^--nonce: \/nonce: must not/, /1 to 256 characters/],
  ['a quote in no file', { quote: '/none' }, /^--quote \/none: there is no such file$/, /^give r</],
  [
    'a quote of two parts',
    { quote: 'rAAAA:AAAA' },
    /^--quote rAAAA:AAAA: quote at byte/,
    /^give r</,
  ],
  ['a key in no file', { ak: '/none' }, /^--ak \/none: there is no such file$/, /TPM2B_PUBLIC/],
  ['a directory', { ak: '/' }, /^--ak \/: it is a directory$/, /TPM2B_PUBLIC/],
  ['a key that is text', { ak: file('*') }, /^--ak .*: it is neither PEM/, /TPM2B_PUBLIC/],
  ['a PEM without key', { ak: file('-----BEGIN X-----') }, /: its PEM holds no/, /TPM2B_PUBLIC/],
  ['an Ed25519 key', { ak: file(ed25519()) }, /: it is neither an RSA key/, /TPM2B_PUBLIC/],
  [
    'a binary list',
    { ima: boot('binary_after_tools') },
    /^--ima .*: it is binary/,
    /ascii_runtime/,
  ],
  ['an empty list', { ima: file('\n') }, /^--ima .*: it is empty$/, /ascii_runtime/],
  ['a policy that is no JSON', { policy: file('{') }, /^--policy: .*is not JSON$/, /JSON of a/],
  [
    'a policy without digests',
    { policy: file('{}') },
    /^--policy: runtime_policy.meta: expected/,
    /JSON of a/,
  ],
  ['a TPM policy', { 'tpm-policy': '{' }, /^--tpm-policy: tpm_policy: is not JSON$/, /hex/],
  [
    'a boot policy',
    { 'mb-policy': file('[]') },
    /^--mb-policy: mb_policy: expected an object/,
    /JSON object/,
  ],
  ['an empty firmware log', { 'mb-log': file('') }, /^--mb-log .*: it is empty$/, /binary_bios/],
])(
  '%s cannot be judged: one sentence with the option, and the next step',
  (_, change, says, next) => {
    expect(() => say(words(change))).toThrow(
      expect.objectContaining({
        sentence: expect.stringMatching(says),
        next: expect.stringMatching(next),
      }),
    )
  },
)

test('what a terminal would obey is spelled out', () => {
  const list = new TextDecoder().decode(recorded('ascii_after_tools'))
  const ima = file(list.replaceAll('/mnt/data/viol', '/mnt/data/\u009b2J'))
  const { text } = say(words({ ima }))
  expect(text).toContain('\\u{9b}2J')
  expect(text).not.toContain('\u009b')
})

test('of many failures the first are printed and the rest is counted', () => {
  const policy = file(POLICY)
  const list = new TextDecoder().decode(recorded('ascii_after_tools'))
  const ima = file(list)
  const { text } = say(words({ ima, policy }))
  const { failures } = sayJson({ ima, policy })
  expect(failures.length).toBeGreaterThan(50)
  expect(text).toContain(`  and ${failures.length - 50} more: --json lists all`)
})

function ed25519(): string {
  return [
    '-----BEGIN PUBLIC KEY-----',
    'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
    '-----END PUBLIC KEY-----',
    '',
  ].join('\n')
}
