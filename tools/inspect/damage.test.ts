import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isViolation, type LocatedEntry, readImaList } from '../../simulator/ima/list.ts'
import { readAsciiList } from '../../simulator/ima/read-ascii.ts'
import { text, toHex } from '../../simulator/tpm/write.ts'
import { KINDS, type Kind } from './inspection.ts'
import { base64, bootBytes, inspected, quoteText, reportOn } from './test-support.ts'

const PADDING = 0x3d
const PARTS = ['attest', 'sig', 'pcrs'] as const
const [ATTEST, SIGNATURE, BLOB] = PARTS.map((part) => bootBytes(`rsassa_sha256_10.${part}`)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
]
const PUSH = JSON.stringify({
  data: {
    type: 'attestation',
    attributes: {
      evidence_collected: [
        {
          evidence_class: 'certification',
          evidence_type: 'tpm_quote',
          data: {
            subject_data: { 10: toHex(BLOB.subarray(142, 174)) },
            message: base64(ATTEST),
            signature: base64(SIGNATURE),
          },
        },
      ],
    },
  },
})
const POLICY = JSON.stringify({
  meta: { version: 1, generator: 2 },
  release: 0,
  digests: { '/bin/ä': ['00'.repeat(32)] },
  excludes: ['^/tmp/.*\\.log$'],
  keyrings: {},
  ima: { ignored_keyrings: [], log_hash_alg: 'sha1', dm_policy: null },
  'ima-buf': {},
  'verification-keys': '',
})
const ENVELOPE = JSON.stringify({
  payload: base64(text(POLICY)),
  payloadType: 'application/vnd.keylime+json',
  signatures: [{ keyid: 'a', sig: base64(SIGNATURE) }],
})
const COMPRESSED = `r${[ATTEST, SIGNATURE, BLOB].map((part) => base64(deflateSync(part))).join(':')}`

/**
 * Every `step`th truncation of a file, except the empty file and a file that only lacks base64 padding.
 */
function truncations(whole: Uint8Array, step = 1): readonly Uint8Array[] {
  const content = whole.subarray(0, whole.findLastIndex((byte) => byte !== PADDING) + 1)
  const lengths = Array.from({ length: content.length - 1 }, (_, at) => at + 1)
  return lengths
    .filter((length) => length % step === 0)
    .map((length) => content.subarray(0, length))
}

test.each<[string, Kind, Uint8Array | string]>([
  ['a TPMS_ATTEST', 'attest', ATTEST],
  ['a TPMS_ATTEST in hexadecimal', 'attest', toHex(ATTEST)],
  ['a signature', 'signature', SIGNATURE],
  ['PCR values', 'pcrs', BLOB],
  ['a quote', 'quote', quoteText()],
  ['a quote of API 1.0', 'quote', COMPRESSED],
  ['a push PATCH', 'quote', PUSH],
  ['a policy', 'policy', POLICY],
  ['a signed policy', 'policy', ENVELOPE],
])('%s that is truncated is decoded up to the error', (_, kind, whole) => {
  const bytes = typeof whole === 'string' ? text(whole) : whole
  const unbroken = truncations(bytes).filter((cut) => {
    const { ok, inspections } = reportOn(kind, cut)
    return ok || inspections[0]?.broken.length === 0
  })
  expect(unbroken.map(({ length }) => length)).toEqual([])
  expect(reportOn(kind, bytes)).toMatchObject({ ok: true, inspections: [{ broken: [] }] })
})

test.each<[string, string, (bytes: Uint8Array) => Iterable<LocatedEntry>]>([
  ['binary', 'binary_before_tools', readImaList],
  ['text', 'ascii_before_tools', readAsciiList],
])('a truncated %s list is decoded up to the last complete entry', (_, file, read) => {
  // The text of a violation has no hash that proves it complete, so only the entries before the first are truncated.
  const all = [...read(bootBytes(file))]
  const hashed = all.slice(
    0,
    all.findIndex(({ entry }) => isViolation(entry)),
  )
  const ends = hashed.map(({ offset, length }) => offset + length)
  const bytes = bootBytes(file).subarray(0, ends.at(-1))
  // A text is complete without its final space and newline, which is a warning.
  const text = file.startsWith('ascii')
  const whole = new Set(text ? ends.flatMap((end) => [end - 2, end - 1, end]) : ends)
  const seen = truncations(bytes, 7).map((cut) => {
    const { broken, ima } = inspected('imalog', cut)
    return { length: cut.length, breaks: broken.length, entries: ima?.entries }
  })
  const expected = seen.map(({ length }) => {
    const cutBlanks = whole.has(length) && !ends.includes(length) ? 1 : 0
    const entries = ends.filter((end) => end <= length).length + cutBlanks
    return { length, breaks: whole.has(length) ? 0 : 1, entries }
  })
  expect(seen).toEqual(expected)
})

test('an error has byte offset, field and the number of missing bytes', () => {
  expect(inspected('attest', ATTEST.subarray(0, 50)).broken).toEqual([
    {
      part: 'TPMS_ATTEST',
      offset: 44,
      path: 'extraData',
      why: '20 bytes are wanted here, and only 6 left',
    },
  ])
  expect(
    inspected('attest', ATTEST.subarray(0, 50)).parts[0]?.fields.map(({ path }) => path),
  ).toEqual(['magic', 'type', 'qualifiedSigner.size', 'qualifiedSigner', 'extraData.size'])
})

test.each<[string, Kind, string, RegExp]>([
  ['a quote of two parts', 'quote', 'rAAAA:AAAA', /three parts.*found 2/],
  [
    'a quote with an invalid character',
    'quote',
    `${quoteText().slice(0, 20)}*${quoteText().slice(21)}`,
    /not a base64 character/,
  ],
  ['a policy that is a list', 'policy', '[]', /a policy must be a JSON object/],
  ['a policy with a trailing comma', 'policy', '{"meta":{},}', /expected a name in double quotes/],
  ['JSON without a quote', 'quote', '{"a":1}', /neither a message .* nor a quote/],
  ['JSON without a list', 'imalog', '{"a":1}', /contains no measurement list/],
  ['JSON without a message', 'attest', '{"a":1}', /does not contain this part/],
  ['half a byte', 'attest', toHex(ATTEST).slice(0, -1), /odd number of digits/],
  ['a big-endian list', 'imalog', '0000000a'.padEnd(80, '0'), /big-endian kernel/],
])('%s has its own error message', (_, kind, content, why) => {
  const whys = inspected(kind, content).broken.map((each) => each.why)
  expect(whys.join('\n')).toMatch(why)
})

test.each<[Kind, string, string]>([
  ['quote', 'ascii_before_tools', 'imalog'],
  ['imalog', 'rsassa_sha256_10.attest', 'attest'],
  ['attest', 'rsassa_sha256_10.sig', 'signature'],
  ['policy', 'rsassa_sha256_10.pcrs', 'pcrs'],
  ['pcrs', 'binary_before_tools', 'imalog'],
  ['imalog', 'binary_bios_measurements', 'eventlog'],
  ['eventlog', 'rsassa_sha256_10.attest', 'attest'],
])('inspect %s of %s suggests inspect %s', (kind, file, fitting) => {
  const hint = new RegExp(`the file looks like .*: try assay inspect ${fitting}$`)
  expect(inspected(kind, bootBytes(file)).broken[0]?.why).toMatch(hint)
  expect(inspected(fitting as Kind, bootBytes(file)).broken).toEqual([])
})

test.each<[Kind, string, string]>([
  ['imalog', POLICY, 'policy'],
  ['policy', quoteText(), 'quote'],
  ['imalog', PUSH, 'quote'],
])('inspect %s of a text suggests another kind', (kind, content, fitting) => {
  expect(inspected(kind, content).broken[0]?.why).toMatch(`try assay inspect ${fitting}`)
})

test('a damaged file of the right kind has no hint', () => {
  expect(inspected('quote', ATTEST.subarray(0, 50)).broken[0]?.why).not.toContain('try assay')
})

test.each(KINDS)('an empty file is not a valid %s', (kind) => {
  expect(reportOn(kind, '').ok).toBe(false)
})

test('the size of an inflated part is limited', () => {
  const bomb = base64(deflateSync(new Uint8Array(3_000_000)))
  const [, signature, pcrs] = quoteText().split(':')
  const { broken } = inspected('quote', `r${bomb}:${signature}:${pcrs}`)
  expect(broken.map(({ why }) => why)).toContain('it inflates to more than 1048576 bytes')
})

test('no input makes inspect throw', () => {
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ maxLength: 300 }).map(text),
    fc.json().map(text),
    fc
      .tuple(
        fc.constantFrom(
          ATTEST,
          SIGNATURE,
          BLOB,
          text(PUSH),
          text(POLICY),
          text(quoteText()),
          bootBytes('ascii_before_tools'),
          bootBytes('binary_before_tools'),
          bootBytes('binary_bios_measurements'),
        ),
        fc.nat(),
        fc.nat(255),
      )
      .map(([bytes, at, byte]) => bytes.with(at % bytes.length, byte)),
  )
  fc.assert(
    fc.property(fc.constantFrom(...KINDS), content, (kind, bytes) => {
      expect(reportOn(kind, bytes).schema).toBe('assay.inspect/1')
    }),
    { numRuns: 300 },
  )
})

test('hostile counts and nesting are limited', () => {
  const deep = '['.repeat(100_000)
  expect(inspected('policy', deep).broken[0]?.why).toMatch(/nested more than 100 levels deep/)
  const counts = bootBytes('rsassa_sha256_10.attest').slice()
  counts.fill(0xff, 89, 93)
  expect(inspected('attest', counts).broken).toHaveLength(1)
})
