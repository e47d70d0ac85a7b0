import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import type { CheckResult, ScenarioResult } from '../../conformance/report/result.ts'
import { NAMES } from './kit/kit-files.ts'
import { type KitFiles, verifyKit } from './kit/verify-kit.ts'
import {
  type SampleKit,
  SIGNER,
  sampleKit,
  signerWith,
  textOf,
  withStatement,
  withSums,
  withText,
} from './testing/sample-kit.ts'
import { CATALOGUE, PROFILE, type SampleRun, sampleRun } from './testing/sample-runs.ts'

const catalogueOf = () => CATALOGUE

const verdictOn = (files: KitFiles) =>
  verifyKit(files, { catalogueOf }).refusals.map(({ says }) => says)

type Tamper = (kit: KitFiles) => KitFiles | Promise<KitFiles>

/** A change of one file, with and without SHA256SUMS that fit. */
const edit =
  (path: string, from: string | RegExp, to: string): Tamper =>
  (kit) => {
    const edited = withText(kit, path, (text) => text.replace(from, to))
    expect(textOf(edited, path)).not.toBe(textOf(kit, path))
    return withSums(edited)
  }

/** Another statement, signed by the runner. */
const restate =
  (from: string | RegExp, to: string): Tamper =>
  (kit) =>
    withStatement(kit, (text) => {
      expect(text).toMatch(from)
      return text.replace(from, to)
    })

/** A kit that the runner made of other runs, and signed. */
const remade =
  (given: SampleKit): Tamper =>
  () =>
    sampleKit(given)

/** The second run is another one. */
const second = (given: SampleRun): Tamper =>
  remade({ runs: [sampleRun(1), sampleRun(2, given), sampleRun(3)] })

/** The result of the second run is edited, and the kit signed. */
const secondEdited = (change: (text: string) => string): Tamper => {
  const text = JSON.stringify(sampleRun(2))
  const changed = change(text)
  expect(changed).not.toBe(text)
  return remade({ runs: [sampleRun(1), JSON.parse(changed), sampleRun(3)] })
}

type Change = (result: ScenarioResult) => ScenarioResult

/** One scenario of the second run is another one, and the run is judged with it. */
const secondWith = (id: string, change: Change): Tamper =>
  second({
    scenarios: (all) =>
      all.map((one) => (one.id === id && one.version === '3.0' ? change(one) : one)),
  })

const withCheck =
  (change: (check: CheckResult) => CheckResult): Change =>
  (result) => ({ ...result, checks: result.checks.map(change) })

const failed = withCheck((check) => ({ ...check, ok: false, received: '500' }))
const RUN = 'runs/2/result.json'
const NA = { outcome: 'not-applicable', reason: 'no', checks: [] } as const

const TAMPERED: readonly (readonly [what: string, tamper: Tamper, says: string])[] = [
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
  // the runs, signed by the runner
  [
    'one seed twice',
    second({ seed: 'seed-1' }),
    'runs/1/result.json and runs/2/result.json have one seed, seed-1',
  ],
  [
    'one run three times',
    remade({ runs: ['a', 'b', 'c'].map((seed) => sampleRun(1, { seed })) }),
    'began before runs/1/result.json had ended',
  ],
  ['one run only', remade({ runs: [sampleRun(1)] }), 'runs/2/result.json is missing'],
  [
    'another target',
    second({ target: { name: 'Other' } }),
    'of different deployments: another target',
  ],
  [
    'other capabilities',
    second({ target: { capabilities: ['ek_store'] } }),
    'another capabilities',
  ],
  [
    'another Assay',
    second({ assay_version: '0.0.9' }),
    `${RUN}: written by Assay 0.0.9, and this is Assay 0.1.0`,
  ],
  [
    'another document',
    second({ interface_sha256: 'cd'.repeat(32) }),
    `${RUN}: written for another text`,
  ],
  [
    'another profile',
    second({ selection: { profile: 'other' } }),
    `${RUN}: a run of other, not of sample`,
  ],
  [
    'a selection',
    second({ selection: { only: ['registrar.added'] } }),
    `${RUN}: --only left scenarios out`,
  ],
  [
    'a baseline',
    second({ baseline: { file: 'b', entries: [] } }),
    `${RUN}: a baseline expects failures`,
  ],
  [
    'an early end',
    second({ ended: { because: 'bail', says: 'bail' } }),
    `${RUN}: the run ended early`,
  ],
  [
    'a missing scenario',
    second({ scenarios: (all) => all.slice(1) }),
    `${RUN}: the scenario registrar.added under 2.5 is missing`,
  ],
  [
    'a scenario twice',
    second({ scenarios: ([one, ...all]) => (one ? [one, one, ...all] : all) }),
    'registrar.added under 2.5 is there 2 times',
  ],
  [
    'a scenario of another profile',
    secondWith('registrar.added', (one) => ({ ...one, id: 'verifier.other' })),
    'the plan has no scenario verifier.other under 3.0',
  ],
  [
    'a skip',
    secondWith('registrar.added', (one) => ({ ...one, outcome: 'skipped', checks: [] })),
    'registrar.added under 3.0 is not passed (skipped)',
  ],
  [
    'a failure',
    secondWith('registrar.refused', (one) => ({ ...failed(one), outcome: 'fail' })),
    'registrar.refused under 3.0 is not passed (fail)',
  ],
  [
    'a failure called a pass',
    secondWith('registrar.refused', failed),
    'registrar.refused under 3.0 says pass, and its checks give fail',
  ],
  [
    'a pass without a check',
    secondWith('registrar.refused', (one) => ({ ...one, checks: [] })),
    'says pass, and its checks give harness-fault',
  ],
  [
    'a waived check',
    secondWith('registrar.refused', (one) =>
      withCheck((check) => ({ ...check, excused: 'known' }))(failed({ ...one, outcome: 'waived' })),
    ),
    'a check of REG-REFUSED in registrar.refused under 3.0 is waived: known',
  ],
  [
    'a weaker check',
    secondWith('registrar.refused', (one) =>
      withCheck((check) => ({ ...check, strength: 'silent' }))(failed({ ...one, outcome: 'warn' })),
    ),
    'has the strength silent, not that of the catalogue',
  ],
  [
    'a check of another row',
    secondWith(
      'registrar.added',
      withCheck((check) => ({ ...check, requirement: 'REG-STORE' })),
    ),
    'has a check of REG-STORE, not its own',
  ],
  [
    'other requirements',
    secondWith('registrar.added', (one) => ({ ...one, requirements: ['REG-ADDED', 'REG-STORE'] })),
    'registrar.added under 3.0 is not as in the catalogue',
  ],
  [
    'an excluded scenario that ran',
    secondWith('registrar.device', (one) => ({
      ...one,
      outcome: 'observed',
      observations: [{ key: 'k', what: 'w', received: 'r', at: 0 }],
    })),
    'says observed, and its checks give not-applicable',
  ],
  [
    'a missing row',
    second({
      scenarios: (all) =>
        all.map((one) => (one.id === 'registrar.refused' ? { ...one, ...NA } : one)),
    }),
    `${RUN}: no check covers the row REG-REFUSED of the profile`,
  ],
  [
    'a waiver in the target file',
    second({ allowances: ['REG-ADDED is waived'] }),
    'its scenarios give the verdict conforms: REG-ADDED is waived',
  ],
  [
    'a complaint',
    second({ complaints: ['stale'] }),
    'its scenarios give the verdict does not conform: stale',
  ],
  [
    'another verdict',
    secondEdited((text) => text.replace('"verdict":"conforms"', '"verdict":"part passed"')),
    'its verdict does not follow from its scenarios',
  ],
  [
    'other totals',
    secondEdited((text) => text.replace(/"pass":\d+/, '"pass":99')),
    'its totals does not follow',
  ],
  [
    'another row result',
    secondEdited((text) =>
      text.replace('"by_version":{"2.5":"pass"', '"by_version":{"2.4":"pass"'),
    ),
    'its requirements does not follow',
  ],
  ['a missing role', lacking({ roles: [] }), 'the profile sample requires the role registrar'],
  [
    'a missing capability',
    lacking({ capabilities: ['ima_log'] }),
    'the profile sample requires the capability ek_store',
  ],
  [
    'no version of the profile',
    lacking({ versions: ['1.0'] }),
    'the profile sample requires an API version of 2.1 or later',
  ],
  [
    'a target file with waivers',
    remade({
      target:
        "name: Example | registrar\nversions: ['2.5', '3.0']\ncapabilities: [ek_store, ima_log]\nwaivers: w.yaml\n",
    }),
    'target.yaml has waivers, and a certificate allows no excuse',
  ],
  [
    'a deviation profile',
    remade({
      target:
        "name: Example | registrar\nversions: ['2.5', '3.0']\ncapabilities: [ek_store, ima_log]\nprofile: keylime\n",
    }),
    'target.yaml has profile',
  ],
  [
    'other capabilities in the target file',
    remade({ target: "name: Example | registrar\nversions: ['2.5', '3.0']\n" }),
    'target.yaml has other capabilities than the runs',
  ],
  [
    'another target file',
    remade({
      target: "name: Other\nversions: ['2.5', '3.0']\ncapabilities: [ek_store, ima_log]\n",
    }),
    'target.yaml has other name than the runs',
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

/** Every run is of a target that lacks something. */
function lacking(target: SampleRun['target']): Tamper {
  return remade({ runs: [1, 2, 3].map((number) => sampleRun(number, target ? { target } : {})) })
}

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
