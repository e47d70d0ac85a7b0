import { expect, test } from 'vitest'
import { flipped, recorded } from '../../tpm/testing/recorded-boot.ts'
import { defaultChecks, type EvidenceCase, evaluate, type ImaEvidence } from '../evaluate.ts'
import { listedPcrs, provenPcrs } from '../testing/proven-pcrs.ts'
import { RECORDED_QUOTES, recordedCase } from '../testing/recorded-case.ts'
import { recordedPolicy } from '../testing/recorded-policy.ts'
import { parseBootLog } from '../uefi/log/parse-log.ts'
import { evaluateIma } from './evaluate-ima.ts'
import { IMA_PCR } from './list/replay.ts'

const LIST = recorded('ascii_after_tools')
const LINES = Buffer.from(LIST).toString('latin1').split('\n')

function listOf(lines: readonly string[]): Uint8Array {
  return new Uint8Array(Buffer.from(lines.join('\n'), 'latin1'))
}

function ima(bytes: Uint8Array = LIST, change: Partial<ImaEvidence> = {}): ImaEvidence {
  return { format: 'ascii', bytes, startingOffset: 0, ...change }
}

function evaluationOf(change: Partial<EvidenceCase> = {}, lists = defaultChecks) {
  return evaluate(recordedCase({ ima: ima(), ignoreTomtouErrors: true, ...change }), lists)
}

function typesOf(change: Partial<EvidenceCase> = {}): readonly string[] {
  return evaluationOf(change).findings.map(({ type }) => type)
}

const WITH_PCR_10 = RECORDED_QUOTES.filter(({ pcrs }) => pcrs.includes(IMA_PCR))

test.each(WITH_PCR_10)('the recorded list replays to PCR 10 of $file', (quote) => {
  const seen = evaluate(recordedCase({ ima: ima(), ignoreTomtouErrors: true }, quote))
  expect(seen.findings).toEqual([])
  expect(seen.ima).toMatchObject({ entriesCertified: 58, linesCertified: 59, entries: 58 })
})

test.each([
  [58, []],
  [59, []],
  [undefined, []],
  [57, ['ima.parser.entry']],
  [99, ['ima.parser.entry']],
  [0, ['ima.parser.entry']],
])('of a list with 58 entries in 59 lines, %s entries are stated', (statedEntries, types) => {
  const stated = statedEntries === undefined ? {} : { statedEntries }
  expect(typesOf({ ima: ima(LIST, stated) })).toEqual(types)
})

test('the banks whose hash the kernel lacked were extended with the padded SHA-1', () => {
  const quote = RECORDED_QUOTES.find(({ file }) => file === 'rsassa_multibank')
  const { ima: seen } = evaluate(recordedCase({ ima: ima(), ignoreTomtouErrors: true }, quote))
  expect(seen?.rules).toEqual({
    sha1: 'template-hash',
    sha256: 'template-hash',
    sha384: 'padded-sha1',
  })
})

test.each(['ascii', 'binary'] as const)(
  'the %s list from before the tools ran replays in every bank',
  (format) => {
    const verified = provenPcrs(
      listedPcrs(Buffer.from(recorded('pcrs_before_tools.txt')).toString()),
    )
    const evidence = { format, bytes: recorded(`${format}_before_tools`), startingOffset: 0 }
    const expected = { ignoreTomtouErrors: true, bootAggregates: new Set<string>() }
    const { findings, certified } = evaluateIma(evidence, verified, expected)
    expect([...verified.keys()]).toEqual(['sha1', 'sha256', 'sha384', 'sha512'])
    expect(findings).toEqual([])
    expect(certified?.entriesCertified).toBe(20)
  },
)

test('entries beyond the quoted value are tolerated and checked', () => {
  const extra = LINES[2]?.replace('busybox', 'evil') ?? ''
  const seen = evaluationOf({ ima: ima(listOf([...LINES.slice(0, -1), extra, ''])) })
  expect(seen.ima).toMatchObject({ entriesCertified: 58, entries: 59 })
  expect(seen.findings).toMatchObject([{ type: 'ima.validation.ima_hash' }])
})

test('a list continues where the last one ended', () => {
  const whole = evaluationOf().ima
  const first = provenPcrs(listedPcrs(Buffer.from(recorded('pcrs_before_tools.txt')).toString()))
  const before = evaluateIma(ima(recorded('ascii_before_tools')), first, {
    ignoreTomtouErrors: true,
    bootAggregates: new Set(),
  }).certified
  const rest = ima(listOf(LINES.slice(before?.linesCertified)), {
    startingOffset: before?.entriesCertified ?? 0,
    ...(before && { carried: before.carried }),
  })
  const seen = evaluationOf({ ima: rest })
  expect(seen.findings).toEqual([])
  expect(seen.ima?.carried).toEqual(whole?.carried)
})

test('a partial list without the carried value of its bank does not match', () => {
  const carried = { sha1: '00'.repeat(20) }
  expect(typesOf({ ima: ima(LIST, { startingOffset: 20, carried }) })).toEqual(['ima.pcr_mismatch'])
})

test.each<[string, readonly string[]]>([
  ['without its end', LINES.slice(0, 30)],
  ['without an entry in the middle', LINES.filter((_, at) => at !== 5)],
  [
    'with two entries swapped',
    [...LINES.slice(0, 4), LINES[5] ?? '', LINES[4] ?? '', ...LINES.slice(6)],
  ],
  ['with an entry twice', [...LINES.slice(0, 4), ...LINES.slice(3)]],
  ['without any entry', []],
])('a list %s does not replay', (_, lines) => {
  const seen = evaluationOf({ ima: ima(listOf(lines)) })
  expect(seen.findings.map(({ type }) => type)).toEqual(['ima.pcr_mismatch'])
  expect(seen).toMatchObject({ verdict: 'fail', failureReason: 'broken_evidence_chain' })
  expect(seen.ima).toBeUndefined()
})

test('without the check of the replay exactly such a list passes', () => {
  const imaList = defaultChecks.imaList.filter(({ id }) => id !== 'ima.replay')
  const lists = { ...defaultChecks, imaList }
  expect(evaluationOf({ ima: ima(listOf(LINES.slice(0, 30))) }, lists).verdict).toBe('pass')
})

test('a wrong template hash is reported, and the replay is by the data', () => {
  const lines = LINES.with(2, (LINES[2] ?? '').replace(/^10 ..../, '10 ffff'))
  expect(typesOf({ ima: ima(listOf(lines)) })).toEqual(['ima.validation.ima_hash'])
})

test('a false name breaks hash and replay', () => {
  const lines = LINES.with(2, (LINES[2] ?? '').replace('busybox', 'busyboy'))
  expect(typesOf({ ima: ima(listOf(lines)) })).toEqual([
    'ima.pcr_mismatch',
    'ima.validation.ima_hash',
  ])
})

test('a line that is no entry is reported', () => {
  const lines = LINES.toSpliced(3, 0, 'hello')
  expect(typesOf({ ima: ima(listOf(lines)) })).toEqual(['ima.parser.entry'])
})

test('carriage returns break the list', () => {
  expect(typesOf({ ima: ima(listOf(LINES.map((each) => `${each}\r`))) })).toContain(
    'ima.pcr_mismatch',
  )
})

test('an entry for another PCR is reported and not extended', () => {
  const lines = LINES.toSpliced(5, 0, (LINES[2] ?? '').replace(/^10/, '11'))
  const seen = evaluationOf({ ima: ima(listOf(lines)) })
  expect(seen.findings.map(({ type }) => type)).toEqual(['ima.validation.ima_pcr'])
  expect(seen.ima?.entriesCertified).toBe(59)
})

test('banks that cover different parts of a list do not belong together', () => {
  const [before, after] = ['pcrs_before_tools.txt', 'pcrs_after_tools.txt'].map((file) =>
    listedPcrs(Buffer.from(recorded(file)).toString()),
  )
  const bankOf = (name: string, claimed = before) =>
    claimed?.filter(({ bank }) => bank === name) ?? []
  const evaluateBanks = (sha1 = after) =>
    evaluateIma(ima(), provenPcrs([...bankOf('sha1', sha1), ...bankOf('sha256', after)]), {
      ignoreTomtouErrors: true,
      bootAggregates: new Set(),
    })
  expect(evaluateBanks().findings).toEqual([])
  expect(evaluateBanks(before)).toMatchObject({
    findings: [{ type: 'ima.pcr_mismatch', context: { message: /different parts.*20, 58/ } }],
  })
})

test('violations are reported unless they are to be ignored', () => {
  const types = typesOf({ ignoreTomtouErrors: false })
  expect(new Set(types)).toEqual(new Set(['ima.validation.tomtou']))
  expect(evaluationOf({ ignoreTomtouErrors: false }).failureReason).toBe('policy_violation')
})

test('a policy that lists every measured file passes', () => {
  expect(typesOf({ runtimePolicy: recordedPolicy() })).toEqual([])
})

test.each([
  ['/mnt/bin/busybox', 'ima.validation.ima-sig.not_in_allowlist'],
  ['kernel_version', 'ima.validation.ima-buf.not_in_allowlist'],
  ['boot_aggregate', 'ima.validation.ima-sig.not_in_allowlist'],
])('without %s in the policy, that is reported alone', (name, type) => {
  const seen = evaluationOf({ runtimePolicy: recordedPolicy([name]) })
  expect(seen.findings.map((each) => each.type)).toEqual([type])
  expect(seen.failureReason).toBe('policy_violation')
})

test('a path that is excluded needs no digest', () => {
  const runtimePolicy = recordedPolicy(['/mnt/bin/busybox'], { excludes: ['/mnt/bin/.*'] })
  expect(typesOf({ runtimePolicy })).toEqual([])
})

test('a path with another digest is reported with both', () => {
  const digests = { boot_aggregate: ['ab'.repeat(32)] }
  const [first] = evaluationOf({ runtimePolicy: recordedPolicy([], { digests }) }).findings
  expect(first).toMatchObject({
    type: 'ima.validation.ima-sig.runtime_policy_hash',
    context: { path: 'boot_aggregate', expected: ['ab'.repeat(32)], check: 'ima.entry-policy' },
  })
})

test('a boot log that replays allows the boot_aggregate it leads to', () => {
  const runtimePolicy = recordedPolicy(['boot_aggregate'])
  const uefi = recorded('binary_bios_measurements')
  expect(typesOf({ runtimePolicy, uefi })).toEqual([])
  const digest = parseBootLog(uefi).events[0]?.digests.get('sha256') ?? uefi
  const altered = flipped(uefi, Buffer.from(uefi).indexOf(digest))
  expect(typesOf({ runtimePolicy, uefi: altered })).toEqual([
    'ima.validation.ima-sig.not_in_allowlist',
  ])
})

test('a runtime policy without a list is a failure', () => {
  const seen = evaluate(recordedCase({ runtimePolicy: recordedPolicy() }))
  expect(seen.findings.map(({ type }) => type)).toEqual(['pcr_validation.unused_pcr_10'])
})

test('a list without its PCR in the quote is a failure', () => {
  const quote = RECORDED_QUOTES.find(({ file }) => file === 'rsassa_sha384_mb')
  const seen = evaluate(recordedCase({ ima: ima(), ignoreTomtouErrors: true }, quote))
  expect(seen.findings.map(({ type }) => type)).toEqual(['pcr_validation.missing_pcrs'])
})

test('a list in the other format is broken', () => {
  expect(typesOf({ ima: ima(LIST, { format: 'binary' }) })).toContain('ima.parser.entry')
  expect(typesOf({ ima: ima(recorded('binary_after_tools')) })).toContain('ima.pcr_mismatch')
})

test('thousands of findings are cut to a limit, with a finding that says so', () => {
  const lines = [...LINES.slice(0, -1), ...Array.from({ length: 3000 }, () => 'junk'), '']
  const { findings } = evaluationOf({ ima: ima(listOf(lines)) })
  expect(findings).toHaveLength(201)
  expect(findings.at(-1)?.context).toMatchObject({ suppressed: 2800 })
})
