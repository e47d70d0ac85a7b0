import { generateKeyPairSync } from 'node:crypto'
import { NAMES } from '../kit/kit-files.ts'
import type { KitFiles } from '../kit/verify-kit.ts'
import { sampleKit, signerWith, textOf, withStatement, withSums, withText } from './sample-kit.ts'
import { edit, RUN, restate, type Tampering } from './tamper.ts'

/** Kits whose files were changed after they had been signed, or whose statement is another one. */
export const TAMPERED_FILES: readonly Tampering[] = [
  // files, by anyone
  ['a missing file', (kit) => without(kit, 'log.txt'), 'log.txt is missing'],
  ['a missing run', (kit) => without(kit, 'runs/3/result.json'), 'runs/3/result.json is missing'],
  ['a missing statement', (kit) => without(kit, NAMES.statement), `${NAMES.statement} is missing`],
  ['an added file', (kit) => new Map([...kit, ['a.txt', Buffer.from('a')]]), 'a.txt was added'],
  [
    'a fourth run',
    (kit) => new Map([...kit, ['runs/4/result.json', Buffer.from('{}')]]),
    'runs/4/result.json was added',
  ],
  [
    'an edited report',
    (kit) => withText(kit, 'runs/1/report.html', (text) => `${text} `),
    'runs/1/report.html is not what SHA256SUMS says',
  ],
  [
    'an edited sum',
    (kit) => withText(kit, NAMES.sums, (text) => text.replace(/^./, 'x')),
    'runs/1/result.json is not what SHA256SUMS says',
  ],
  [
    'one sum more',
    (kit) => withText(kit, NAMES.sums, (text) => `${text}${'0'.repeat(64)}  b\n`),
    'another number of lines',
  ],
  // files with sums that fit
  [
    'an edited report, summed',
    edit('runs/1/report.html', 'made', 'Made'),
    'runs/1/report.html is not what was signed',
  ],
  ['an edited result, summed', edit(RUN, '"seed-2"', '"seed-9"'), `${RUN} is not what was signed`],
  [
    'an edited transcript, summed',
    edit('runs/3/transcripts.jsonl.gz', 'made', 'Made'),
    'runs/3/transcripts.jsonl.gz is not what was signed',
  ],
  ['an edited log, summed', edit('log.txt', 'made', 'Made'), 'log.txt is not what was signed'],
  [
    'an edited target, summed',
    edit('target.yaml', 'ima_log', 'uefi_log'),
    'target.yaml is not what was signed',
  ],
  [
    'an edited badge, summed',
    edit('badge.svg', 'sample 2.5', 'sample 1.0'),
    'badge.svg does not say what the statement says',
  ],
  [
    'an edited page, summed',
    edit('README.md', 'Every one that applies', 'Every one'),
    'README.md does not say',
  ],
  ['two results exchanged', swapped, 'runs/1/result.json is not what was signed'],
  // envelope and key
  ['an edited payload', payloadEdited, 'the signature of statement.dsse.json is not valid'],
  [
    'an edited signature',
    edit(NAMES.statement, /"sig": "../, '"sig": "AA'),
    'the signature of statement.dsse.json is not valid',
  ],
  [
    'a signature with blanks',
    edit(NAMES.statement, /"sig": "/, '"sig": " '),
    'the signature of statement.dsse.json is not base64',
  ],
  [
    'no signature',
    edit(NAMES.statement, /"signatures": \[[^\]]*\]/, '"signatures": []'),
    'has no signature',
  ],
  [
    'a second signature',
    edit(NAMES.statement, /"signatures": \[/, '"signatures": [{},'),
    'has more than one signature',
  ],
  [
    'another payload type',
    edit(NAMES.statement, 'vnd.in-toto+json', 'json'),
    'another payload type',
  ],
  [
    'another key id',
    edit(NAMES.statement, /"keyid": "../, '"keyid": "zz'),
    'names another key than key.pem',
  ],
  [
    'no envelope',
    (kit) => withSums(withText(kit, NAMES.statement, () => '[')),
    'statement.dsse.json is not JSON',
  ],
  ['another key', otherKey, 'names another key than key.pem'],
  ['a private key', privateKey, 'key.pem holds a private key'],
  ['no key', edit(NAMES.key, 'BEGIN', 'BEGAN'), 'key.pem is no public key in PEM'],
  ['a small RSA key', smallKey, 'key.pem is not a key of'],
  // the statement, signed again
  [
    'another subject without a digest',
    restate(/"sha256": "0c(0c)+"/, '"sha256": "0c"'),
    'subject[0] has no SHA-256',
  ],
  ['no subject', restate(/"subject": \[[^\]]*\]/, '"subject": []'), 'the statement has no subject'],
  ['another type', restate('Statement/v1', 'Statement/v2'), 'is not what the runs give, at /_type'],
  ['another predicate', restate('test-result/v0.1', 'other/v1'), 'at /predicateType'],
  [
    'a profile with other rows',
    restate(/("profile sample",\s+"digest": \{\s+"sha256": ")../, '$1zz'),
    'the profile sample of this Assay has other rows or scenarios than that of the kit',
  ],
  ['a better result', restate('"WARNED"', '"PASSED"'), 'at /predicate/result'],
  [
    'one passed test more',
    restate('"passedTests": [', '"passedTests": ["a@3.0",'),
    'at /predicate/passedTests/0',
  ],
  [
    'no warned test',
    restate(/"warnedTests": \[[^\]]*\]/, '"warnedTests": []'),
    'at /predicate/warnedTests/0',
  ],
  [
    'a row less not covered',
    restate('"row": "REG-DEVICE"', '"row": "REG-OTHER"'),
    'rows_not_covered/0/row',
  ],
  ['other versions', restate('"2.5",', '"2.4",'), 'annotations/versions/0'],
  [
    'another version of Assay',
    restate('"version": "0.1.0"', '"version": "9.0.0"'),
    'annotations/version',
  ],
  [
    'a member more',
    restate('"predicate": {', '"predicate": { "url": "https://example",'),
    'at /predicate/url',
  ],
  [
    'other blanks',
    (kit) => withStatement(kit, (text) => `${text} `),
    'not written as Assay writes it',
  ],
]

function without(kit: KitFiles, path: string): KitFiles {
  return new Map([...kit].filter(([name]) => name !== path))
}

function swapped(kit: KitFiles): KitFiles {
  const [one, other] = ['runs/1/result.json', RUN].map((path) => textOf(kit, path))
  const first = withText(kit, 'runs/1/result.json', () => other ?? '')
  return withSums(withText(first, RUN, () => one ?? ''))
}

function payloadEdited(kit: KitFiles): KitFiles {
  const envelope = JSON.parse(textOf(kit, NAMES.statement))
  const text = Buffer.from(envelope.payload, 'base64').toString().replace('WARNED', 'PASSED')
  const payload = Buffer.from(text).toString('base64')
  return withSums(withText(kit, NAMES.statement, () => JSON.stringify({ ...envelope, payload })))
}

function otherKey(kit: KitFiles): KitFiles {
  const { publicKey } = generateKeyPairSync('ed25519')
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  return withSums(withText(kit, NAMES.key, () => pem))
}

function privateKey(kit: KitFiles): KitFiles {
  const { privateKey: key } = generateKeyPairSync('ed25519')
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  return withSums(withText(kit, NAMES.key, () => pem))
}

function smallKey(): Promise<KitFiles> {
  const { privateKey: key, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  return sampleKit({ signer: signerWith(key, publicKey, 'sha256') })
}
