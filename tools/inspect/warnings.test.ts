import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { writeAsciiList } from '../../simulator/ima/ascii.ts'
import type { ImaEntry } from '../../simulator/ima/list.ts'
import {
  hashedEntry,
  imaEntry,
  imaSigEntry,
  violationEntry,
} from '../../simulator/ima/make-entry.ts'
import { TPM_ALG, TPM_ST } from '../../simulator/tpm/constants.ts'
import { HASHES } from '../../simulator/tpm/hash.ts'
import { writePcrBlob } from '../../simulator/tpm/pcr-blob.ts'
import { selectPcrs } from '../../simulator/tpm/pcr-selection.ts'
import { writeSignature } from '../../simulator/tpm/signature.ts'
import { cat, filled, text } from '../../simulator/tpm/write.ts'
import { EKCERT_TWINS } from './certificate/ekcert-twins.ts'
import { LOG_TWINS } from './eventlog/eventlog-twins.ts'
import type { Kind } from './inspection.ts'
import { attestWith, base64, bootBytes, quoteText, warningsOf } from './test-support.ts'
import { WARNING_IDS } from './warnings.ts'

type Content = Uint8Array | string

/** Warning id, a file with the warning, and the same file without it. */
type Twins = readonly [id: string, kind: Kind, odd: Content, right: Content]

const NOTHING = filled(0)
const SHA256 = HASHES.sha256.alg
const ATTEST = attestWith()

function quoted(
  pcrSelect: Parameters<typeof writePcrBlob>[0],
  pcrDigest = filled(32, 2),
): Uint8Array {
  return attestWith({ attested: { kind: 'quote', pcrSelect, pcrDigest } })
}

const ATTESTS: readonly Twins[] = [
  ['not-tpm-generated', 'attest', attestWith({ magic: 0 }), ATTEST],
  ['not-a-quote', 'attest', bootBytes('gettime.attest'), ATTEST],
  [
    'unknown-attestation',
    'attest',
    attestWith({ type: 0x7fff }),
    attestWith({ type: TPM_ST.ATTEST_NV }),
  ],
  ['empty-nonce', 'attest', bootBytes('noqual.attest'), ATTEST],
  [
    'clock-not-safe',
    'attest',
    attestWith({ clockInfo: { clock: 1n, resetCount: 1, restartCount: 0, safe: 0 } }),
    ATTEST,
  ],
  ['empty-selection', 'attest', quoted([selectPcrs('sha256', [])]), ATTEST],
  [
    'repeated-bank',
    'attest',
    quoted([selectPcrs('sha256', [1]), selectPcrs('sha256', [2])]),
    quoted([selectPcrs('sha1', [1]), selectPcrs('sha256', [2])]),
  ],
  [
    'unknown-bank',
    'attest',
    quoted([selectPcrs('sha256', [1]), { hash: 0x7fff, sizeofSelect: 3, pcrs: [1] }]),
    ATTEST,
  ],
  ['odd-bitmap', 'attest', quoted([{ hash: SHA256, sizeofSelect: 4, pcrs: [10] }]), ATTEST],
  ['missing-bank', 'attest', quoted([selectPcrs('sha1', [10])]), ATTEST],
  [
    'padded-bank',
    'attest',
    quoted([selectPcrs('sha256', [10]), selectPcrs('sha384', [10])]),
    quoted([selectPcrs('sha256', [10]), selectPcrs('sha384', [9])]),
  ],
  ['odd-digest-size', 'attest', quoted([selectPcrs('sha256', [10])], filled(31)), ATTEST],
  ['trailing-bytes', 'attest', cat(ATTEST, filled(1)), ATTEST],
  ['odd-base64', 'attest', base64(ATTEST).replace(/=*$/, '==='), base64(ATTEST)],
  [
    'odd-base64',
    'attest',
    Buffer.from(attestWith({ extraData: filled(40, 0xff) })).toString('base64url'),
    base64(attestWith({ extraData: filled(40, 0xff) })),
  ],
]

const rsa = {
  kind: 'rsa',
  sigAlg: TPM_ALG.RSASSA,
  hash: SHA256,
  sig: filled(256, 7),
  leftover: NOTHING,
} as const
const ecc = {
  kind: 'ecc',
  sigAlg: TPM_ALG.ECDSA,
  hash: SHA256,
  r: filled(32, 7),
  s: filled(32, 8),
  leftover: NOTHING,
} as const
const SIGNATURE = writeSignature(rsa)

const SIGNATURES: readonly Twins[] = [
  [
    'unknown-signature',
    'signature',
    writeSignature({ ...ecc, sigAlg: TPM_ALG.ECDAA }),
    writeSignature(ecc),
  ],
  ['unknown-hash', 'signature', writeSignature({ ...rsa, hash: TPM_ALG.NULL }), SIGNATURE],
  ['weak-hash', 'signature', writeSignature({ ...rsa, hash: TPM_ALG.SHA1 }), SIGNATURE],
  ['odd-signature-size', 'signature', writeSignature({ ...rsa, sig: filled(255, 7) }), SIGNATURE],
  [
    'odd-signature-size',
    'signature',
    writeSignature({ ...ecc, s: filled(32) }),
    writeSignature(ecc),
  ],
  ['trailing-bytes', 'signature', cat(SIGNATURE, filled(2)), SIGNATURE],
]

const SELECTED = [selectPcrs('sha256', [10])]
const BLOB = writePcrBlob(SELECTED, [filled(32, 3)])

/** The blob with some bytes replaced. */
function blobWith(at: number, ...bytes: readonly number[]): Uint8Array {
  const copy = BLOB.slice()
  copy.set(bytes, at)
  return copy
}

const BLOBS: readonly Twins[] = [
  ['odd-blob-size', 'pcrs', cat(BLOB, filled(1)), BLOB],
  ['trailing-bytes', 'pcrs', cat(BLOB, filled(532)), BLOB],
  ['counts-too-large', 'pcrs', blobWith(136, 9), BLOB],
  ['odd-padding', 'pcrs', blobWith(11, 1), BLOB],
  ['odd-padding', 'pcrs', blobWith(140 + 2 + 32, 1), BLOB],
  ['odd-padding', 'pcrs', blobWith(20, 1), BLOB],
  ['odd-value-size', 'pcrs', writePcrBlob(SELECTED, [filled(20, 3)]), BLOB],
  ['value-count', 'pcrs', writePcrBlob(SELECTED, [filled(32, 3), filled(32, 4)]), BLOB],
  [
    'repeated-bank',
    'pcrs',
    writePcrBlob([...SELECTED, ...SELECTED], [filled(32), filled(32)]),
    BLOB,
  ],
]

const QUOTE = quoteText()
const compressed = `r${['attest', 'sig', 'pcrs'].map((part) => base64(deflateSync(bootBytes(`rsassa_sha256_10.${part}`)))).join(':')}`
const push = (subjects: string): string =>
  `{"message":"${base64(ATTEST)}","signature":"${base64(SIGNATURE)}","subject_data":{${subjects}}}`
const value = `"10":"${'0a'.repeat(32)}"`

const QUOTES: readonly Twins[] = [
  ['compressed-part', 'quote', compressed, QUOTE],
  ['duplicate-key', 'quote', push(`${value},${value}`), push(value)],
  ['odd-value-size', 'quote', push('"10":"0a0b"'), push(value)],
]

const AGGREGATE = imaSigEntry('boot_aggregate', filled(32, 9))
const FILE = imaSigEntry('/bin/a', filled(32, 1))

function list(...entries: readonly ImaEntry[]): Uint8Array {
  return writeAsciiList([AGGREGATE, ...entries])
}

/** An entry with an arbitrary name, also with characters that the kernel replaces. */
function named(name: string | Uint8Array): ImaEntry {
  const bytes = typeof name === 'string' ? text(name) : name
  const [head = NOTHING] = FILE.fields
  return hashedEntry({ template: 'ima-sig', fields: [head, cat(bytes, filled(1)), NOTHING] })
}

const signed = (signature: Uint8Array): ImaEntry => imaSigEntry('/bin/a', filled(32, 1), signature)
const HEADER = Uint8Array.of(3, 2, 4, 1, 2, 3, 4, 0, 2, 0xaa, 0xbb)
const LIST = list(FILE)
const LIST_TEXT = new TextDecoder().decode(LIST)

const LISTS: readonly Twins[] = [
  ['violation', 'imalog', list(violationEntry('/bin/a')), LIST],
  ['name-underscore', 'imalog', list(imaSigEntry('/bin/a b', filled(32, 1))), LIST],
  ['name-control', 'imalog', list(named('/bin/\u001b[2J')), LIST],
  ['name-control', 'imalog', list(named('/bin/\u202egnp')), LIST],
  ['name-blank', 'imalog', list(named('/bin/a b')), LIST],
  ['name-newline', 'imalog', list(named('/bin/a\nb')), LIST],
  ['name-not-utf8', 'imalog', list(named(Uint8Array.of(0x2f, 0xff))), LIST],
  ['unknown-template', 'imalog', list({ ...FILE, template: 'ima-new' }), LIST],
  ['template-hash', 'imalog', list({ ...FILE, templateHash: filled(20, 1) }), LIST],
  ['unreadable-field', 'imalog', LIST_TEXT.replace('sha256:01', 'sha256:zz'), LIST_TEXT],
  [
    'odd-file-digest',
    'imalog',
    list(imaEntry('ima-sig', { path: '/a', digest: filled(20), algorithm: 'sha256' })),
    LIST,
  ],
  ['weak-file-digest', 'imalog', list(imaSigEntry('/bin/a', filled(20, 1))), LIST],
  ['odd-file-signature', 'imalog', list(signed(HEADER.subarray(0, 10))), list(signed(HEADER))],
  [
    'odd-file-signature',
    'imalog',
    list(signed(cat(Uint8Array.of(3, 1), HEADER.subarray(2)))),
    list(signed(HEADER)),
  ],
  ['no-boot-aggregate', 'imalog', writeAsciiList([FILE]), LIST],
  ['late-boot-aggregate', 'imalog', list(FILE, AGGREGATE), LIST],
  ['other-pcr', 'imalog', list({ ...FILE, pcr: 11 }), LIST],
  ['no-final-newline', 'imalog', LIST.subarray(0, -1), LIST],
  ['carriage-return', 'imalog', LIST_TEXT.replaceAll('\n', '\r\n'), LIST_TEXT],
]

const POLICY = {
  meta: { version: 1, generator: 2 },
  release: 0,
  digests: { '/bin/a': ['00'.repeat(32)] },
  excludes: ['^/tmp/.*'],
  keyrings: {},
  ima: { ignored_keyrings: [], log_hash_alg: 'sha1', dm_policy: null },
  'ima-buf': {},
  'verification-keys': '',
}
const RIGHT = JSON.stringify(POLICY)
const policy = (change: object): string => JSON.stringify({ ...POLICY, ...change })
const envelope = (change: object): string =>
  JSON.stringify({
    payload: base64(text(RIGHT)),
    payloadType: 'application/vnd.keylime+json',
    signatures: [{ keyid: 'one', sig: base64(filled(64, 1)) }],
    ...change,
  })

const LISTS_OF_STATE = { scrtm_and_bios: [], pk: [], kek: [], db: [], dbx: [], kernels: [] }
const state = (change: object): string => JSON.stringify({ ...LISTS_OF_STATE, ...change })

const POLICIES: readonly Twins[] = [
  ['duplicate-key', 'policy', RIGHT.replace('"release":0', '"release":0,"release":1'), RIGHT],
  ['missing-member', 'policy', policy({ keyrings: undefined }), RIGHT],
  ['wrong-type', 'policy', policy({ excludes: {} }), RIGHT],
  ['wrong-type', 'policy', policy({ digests: { '/bin/a': ['no digest'] } }), RIGHT],
  ['placeholder-policy', 'policy', policy({ meta: { version: 1, generator: 1 } }), RIGHT],
  ['upper-case-digest', 'policy', policy({ digests: { '/bin/a': ['AA'.repeat(32)] } }), RIGHT],
  ['odd-digest-size', 'policy', policy({ digests: { '/bin/a': ['00'.repeat(33)] } }), RIGHT],
  ['no-digest', 'policy', policy({ digests: { '/bin/a': [] } }), RIGHT],
  ['path-blank', 'policy', policy({ digests: { '/bin/a b': POLICY.digests['/bin/a'] } }), RIGHT],
  ['wide-exclude', 'policy', policy({ excludes: ['^/.*$'] }), RIGHT],
  ['bad-exclude', 'policy', policy({ excludes: ['^/tmp/('] }), RIGHT],
  ['unsafe-exclude', 'policy', policy({ excludes: ['^/tmp/(a+)+$'] }), RIGHT],
  ['unsafe-exclude', 'policy', policy({ excludes: ['^/tmp/(?!b)'] }), RIGHT],
  ['unsigned-envelope', 'policy', envelope({ signatures: [] }), envelope({})],
  ['odd-payload-type', 'policy', envelope({ payloadType: 'text/plain' }), envelope({})],
  ['unknown-member', 'policy', state({ kernel: [] }), state({})],
  ['not-compared', 'policy', state({ dbx: undefined }), state({})],
]

const ALL = [
  ...ATTESTS,
  ...SIGNATURES,
  ...BLOBS,
  ...QUOTES,
  ...LISTS,
  ...LOG_TWINS,
  ...EKCERT_TWINS,
  ...POLICIES,
]

test.each(ALL)('the warning %s of %s is given, and not for its twin', (id, kind, odd, right) => {
  expect(warningsOf(kind, odd)).toContain(id)
  expect(warningsOf(kind, right)).not.toContain(id)
})

test.each<[string, Kind, Content]>([
  ['a TPMS_ATTEST', 'attest', ATTEST],
  ['a signature', 'signature', SIGNATURE],
  ['PCR values', 'pcrs', BLOB],
  ['a quote', 'quote', QUOTE],
  ['a list', 'imalog', LIST],
  ['a policy', 'policy', RIGHT],
  ['a signed policy', 'policy', envelope({})],
])('%s without irregularities has no warnings', (_, kind, content) => {
  expect(warningsOf(kind, content)).toEqual([])
})

/** Warnings of the comparison with published PCRs, tested in replay.test.ts. */
const COMPARED = ['missing-bank', 'padded-bank', 'list-continues']

test('every warning has twins', () => {
  expect([...new Set([...ALL.map(([id]) => id), ...COMPARED])].toSorted()).toEqual(
    [...WARNING_IDS].toSorted(),
  )
})
