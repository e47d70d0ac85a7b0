import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { writeImaList } from '../../simulator/ima/list.ts'
import { imaEntry } from '../../simulator/ima/make-entry.ts'
import { filled, toHex } from '../../simulator/tpm/write.ts'
import type { Comparison } from './inspection.ts'
import { main } from './main.ts'
import { base64, bootBytes, bootFile, inspected, quoteText, reportOn } from './test-support.ts'

const schema = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
  JSON.parse(readFileSync('reports/schema/inspect.schema.json', 'utf8')),
)

interface CommandOutput {
  readonly code: number
  readonly text: string
}

function run(words: readonly string[], columns?: number, isTTY = false): CommandOutput {
  let text = ''
  const write = (more: string) => {
    text += more
  }
  const terminal = { write, isTTY, ...(columns === undefined ? {} : { columns }) }
  return { code: main(['inspect', ...words], terminal, {}), text }
}

const PARTS = ['attest', 'sig', 'pcrs']
const files = (name: string): readonly string[] => PARTS.map((part) => bootFile(`${name}.${part}`))

test.each<[string, number, readonly string[]]>([
  [
    'quote-80',
    80,
    ['quote', ...files('rsassa_sha256_10'), '--ak', bootFile('ak_rsa.tpm2b_public')],
  ],
  [
    'quote-multibank-120',
    120,
    ['quote', ...files('rsassa_sha512_mb'), '--ak', bootFile('ak_rsa.pem')],
  ],
  ['certify-100', 100, ['attest', bootFile('certify.attest')]],
  ['imalog-80', 80, ['imalog', bootFile('binary_before_tools'), '--entries', 'all']],
  [
    'imalog-120',
    120,
    ['imalog', bootFile('ascii_after_tools'), '--pcrs', bootFile('pcrs_after_tools.txt')],
  ],
  [
    'ekcert-100',
    100,
    ['ekcert', bootFile('ekcert_1c00002.der'), '--trust', bootFile('swtpm-localca-issuercert.pem')],
  ],
  ['eventlog-90', 90, ['eventlog', bootFile('binary_bios_measurements'), '--entries', 'all']],
  [
    'eventlog-120',
    120,
    [
      'eventlog',
      bootFile('binary_bios_measurements'),
      '--pcrs',
      bootFile('rsassa_sha256_all.pcrs'),
    ],
  ],
])('the output for the recorded boot is expected/%s.txt', async (name, columns, words) => {
  const { code, text: output } = run(words, columns)
  expect(code).toBe(0)
  expect(Math.max(...output.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns)
  await expect(output).toMatchFileSnapshot(`expected/${name}.txt`)
})

test('colours are used on terminals only', () => {
  const words = ['attest', bootFile('certify.attest')]
  expect(run(words, 80, true).text).toContain('\u001b[')
  expect(run(words, 80, false).text).not.toContain('\u001b')
})

test('control characters of a file are escaped', () => {
  const entry = imaEntry('ima-sig', { path: '/\u001b[2J\u009b\u202e', digest: filled(32) })
  const { facts, ima } = inspected('imalog', writeImaList([entry]))
  expect(
    JSON.stringify([facts, ima?.shown.map(({ fields }) => fields.map(({ value }) => value))]),
  ).not.toMatch(/\\u001b|\u009b|\u202e/)
  expect(ima?.shown[0]?.fields[1]?.value).toBe('/\\x1b[2J\\x9b\\u202e')
})

test.each<[string, readonly string[]]>([
  ['a quote', ['quote', ...files('rsassa_multibank')]],
  ['an attested time', ['attest', bootFile('gettime.attest')]],
  ['a signature', ['signature', bootFile('ecdsa384_sha384_10.sig')]],
  ['PCR values', ['pcrs', bootFile('rsassa_sha256_all.pcrs')]],
  [
    'a list',
    [
      'imalog',
      bootFile('ascii_after_tools'),
      '--entries',
      'all',
      '--pcrs',
      bootFile('pcrs_after_tools.txt'),
    ],
  ],
  ['a firmware log', ['eventlog', bootFile('binary_bios_measurements'), '--entries', 'all']],
  ['the wrong kind of file', ['policy', bootFile('cmdline')]],
])('the JSON of %s matches the published schema', (_, words) => {
  const { code, text: output } = run([...words, '--json'])
  const report = JSON.parse(output)
  schema(report)
  expect(schema.errors).toBeNull()
  expect(code).toBe(report.ok ? 0 : 1)
})

test('every field has a value and an explanation', () => {
  const parts = [
    ...inspected('quote', quoteText('rsassa_sha256_all')).parts,
    ...inspected('attest', bootBytes('certify.attest')).parts,
    ...inspected('attest', bootBytes('gettime.attest')).parts,
    ...inspected('signature', bootBytes('ecdsa256_sha256_10_16.sig')).parts,
  ]
  const silent = parts.flatMap(({ fields }) =>
    fields.filter(({ means, value }) => means === '' || value === ''),
  )
  expect(silent).toEqual([])
})

test('fields cover all bytes without gaps', () => {
  for (const part of inspected('quote', quoteText('rsassa_sha256_all')).parts) {
    const ends = part.fields.map(({ offset, length }) => offset + length)
    expect(part.fields.map(({ offset }) => offset)).toEqual([0, ...ends.slice(0, -1)])
    expect(ends.at(-1)).toBe(part.length)
  }
})

const [ATTEST, SIGNATURE, BLOB] = PARTS.map((part) => bootBytes(`rsassa_sha256_10.${part}`)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
]

test.each<[string, Uint8Array | string]>([
  ['base64', base64(ATTEST)],
  ['base64 over several lines', base64(ATTEST).replace(/.{60}/g, '$&\n')],
  ['hexadecimal', toHex(ATTEST)],
  ['hexadecimal with colons', toHex(ATTEST).replace(/..(?=.)/g, '$&:')],
  ['a whole quote', quoteText()],
])('a TPMS_ATTEST in the form of %s is decoded like its bytes', (_, content) => {
  const fields = inspected('attest', content).parts[0]?.fields
  expect(fields).toEqual(inspected('attest', ATTEST).parts[0]?.fields)
})

const compressed = `r${[ATTEST, SIGNATURE, BLOB].map((part) => base64(deflateSync(part))).join(':')}`
const collected = (subject_data: unknown): string =>
  JSON.stringify({
    data: {
      type: 'attestation',
      attributes: {
        evidence_collected: [
          {
            evidence_class: 'certification',
            evidence_type: 'tpm_quote',
            data: { subject_data, message: base64(ATTEST), signature: base64(SIGNATURE) },
          },
          {
            evidence_class: 'log',
            evidence_type: 'ima_log',
            data: { entries: base64(bootBytes('binary_before_tools')) },
          },
        ],
      },
    },
  })
const KEY = { ak: bootFile('ak_rsa.tpm2b_public') }

function holding(
  comparisons: readonly Comparison[],
): readonly (readonly [string, boolean | null])[] {
  return comparisons.map(({ id, holds }) => [id, holds])
}

test.each<[string, string, boolean | null]>([
  ['r…:…:… text', `${quoteText()}\n`, true],
  ['r…:…:… text of API 1.0', compressed, true],
  ['the JSON of a push PATCH with a blob', collected(base64(BLOB)), true],
  [
    'the JSON of a push PATCH with an object',
    collected({ 10: toHex(BLOB.subarray(142, 174)) }),
    null,
  ],
  [
    'the JSON of verify/evidence',
    JSON.stringify({ data: { quote: quoteText(), nonce: 'x' } }),
    true,
  ],
])('a quote in the form of %s is decoded, verified and compared', (_, content, selection) => {
  expect(holding(inspected('quote', content, KEY).comparisons)).toEqual([
    ['signature', true],
    ['scheme', true],
    ['selection', selection],
    ['digest', true],
  ])
})

test.each(['binary_before_tools', 'ascii_before_tools'])(
  'the list %s is decoded alike in base64, hexadecimal and JSON',
  (file) => {
    const bytes = bootBytes(file)
    const plain = inspected('imalog', bytes).ima
    const json = JSON.stringify({ data: { entries: base64(bytes) } })
    for (const content of [base64(bytes), toHex(bytes), json]) {
      expect(inspected('imalog', content).ima).toEqual(plain)
    }
    expect(plain?.format).toBe(file.startsWith('ascii') ? 'ascii' : 'binary')
  },
)

const altered = SIGNATURE.with(-1, (SIGNATURE.at(-1) ?? 0) ^ 1)
const changed = `r${base64(ATTEST)}:${base64(altered)}:${base64(BLOB)}`

test.each<[string, string, string, boolean | null]>([
  ['no key', quoteText(), '', null],
  ['another key', quoteText(), 'ak_rsapss.pem', false],
  ['a key of the other kind', quoteText(), 'ak_ecc256.tpm2b_public', false],
  ['a changed signature', changed, 'ak_rsa.pem', false],
  ['an unknown scheme', `r${base64(ATTEST)}:AAAAAAAA:${base64(BLOB)}`, 'ak_rsa.pem', false],
  ['a broken signature', `r${base64(ATTEST)}:ABQACw==:${base64(BLOB)}`, 'ak_rsa.pem', null],
  ['its key in PEM', quoteText(), 'ak_rsa.pem', true],
  ['RSAPSS', quoteText('rsapss_sha256_10_16'), 'ak_rsapss.tpm2b_public', true],
  ['ECDSA', quoteText('ecdsa256_sha256_10_16'), 'ak_ecc256.pem', true],
])('the signature of a quote with %s', (_, quote, ak, holds) => {
  const { comparisons } = inspected('quote', quote, ak === '' ? {} : { ak: bootFile(ak) })
  expect(comparisons[0]).toMatchObject({ id: 'signature', holds })
})

test('PCR values of another quote fail both comparisons', () => {
  const other = bootBytes('rsassa_sha1_10.pcrs')
  const quote = `r${base64(ATTEST)}:${base64(SIGNATURE)}:${base64(other)}`
  const report = reportOn('quote', quote)
  expect(holding(report.inspections[0]?.comparisons ?? []).slice(2)).toEqual([
    ['selection', false],
    ['digest', false],
  ])
  expect(report.ok).toBe(false)
})

test('the parts of a quote are accepted in any order', () => {
  const turned = ['quote', ...files('rsassa_sha256_10').toReversed(), '--json']
  const [one] = JSON.parse(run(turned).text).inspections
  expect(one.parts.map(({ name }: { name: string }) => name)).toEqual([
    'TPMS_ATTEST',
    'TPMT_SIGNATURE',
    'PCR values',
  ])
  expect(one.comparisons[3]).toMatchObject({ id: 'digest', holds: true })
})

test('--entries limits the number of shown entries', () => {
  const shown = (words: readonly string[]) =>
    JSON.parse(run(['imalog', bootFile('ascii_after_tools'), ...words, '--json']).text)
      .inspections[0].ima.shown.length
  expect([
    shown([]),
    shown(['--entries', '3']),
    shown(['--entries', '0']),
    shown(['--entries', 'all']),
  ]).toEqual([10, 3, 0, 58])
})

test.each<[string, readonly string[], RegExp, RegExp]>([
  ['an unknown kind', ['tee', 'x'], /^unknown kind "tee"$/, /quote, attest/],
  ['no file', ['quote'], /missing required argument 'file'/, /--help/],
  ['a missing file', ['quote', '/none'], /^\/none: there is no such file$/, /standard input/],
  ['a directory', ['imalog', '/'], /^\/: it is a directory$/, /standard input/],
  [
    'a key for a list',
    ['imalog', 'x', '--ak', 'y'],
    /^--ak does not apply to inspect imalog/,
    /inspect quote/,
  ],
  [
    'PCRs for a quote',
    ['quote', 'x', '--pcrs', 'y'],
    /^--pcrs does not apply to inspect quote/,
    /imalog/,
  ],
  [
    'an invalid key',
    ['quote', bootFile('certify.attest'), '--ak', bootFile('cmdline')],
    /^--ak .*contains no public key/,
    /PEM/,
  ],
  ['an invalid number', ['imalog', 'x', '--entries', 'few'], /a whole number, or all/, /--help/],
])('%s is reported in one sentence with the next step', (_, words, sentence, next) => {
  expect(() => run(words)).toThrow(
    expect.objectContaining({
      sentence: expect.stringMatching(sentence),
      next: expect.stringMatching(next),
    }),
  )
})
