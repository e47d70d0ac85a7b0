import { expect, test } from 'vitest'
import { concat, Writer } from '../../bytes/writer.ts'
import { hashes } from '../../tpm/algorithms.ts'
import { extend } from '../../tpm/digest.ts'
import { flipped, recorded } from '../../tpm/testing/recorded-boot.ts'
import { defaultChecks, type EvidenceCase, evaluate } from '../evaluate.ts'
import { provenPcrs } from '../testing/proven-pcrs.ts'
import { RECORDED_QUOTES, recordedCase } from '../testing/recorded-case.ts'
import { evaluateUefi } from './evaluate-uefi.ts'
import { parseBootLog } from './log/parse-log.ts'

const LOG = recorded('binary_bios_measurements')
const REQUIRED = { measuredBoot: { required: true }, uefi: LOG }

function evaluationOf(change: Partial<EvidenceCase> = {}, lists = defaultChecks) {
  return evaluate(recordedCase({ ...REQUIRED, ...change }), lists)
}

function typesOf(change: Partial<EvidenceCase> = {}): readonly string[] {
  return evaluationOf(change).findings.map(({ type }) => type)
}

/** The recorded log with one bit of the digest of one event changed. */
function withDigestChanged(event: number, bank: string): Uint8Array {
  const digest = parseBootLog(LOG).events[event]?.digests.get(bank) ?? LOG
  return flipped(LOG, digest.byteOffset - LOG.byteOffset)
}

test('the recorded log replays to the quoted PCRs', () => {
  expect(typesOf()).toEqual([])
})

test('the recorded log replays in every bank of a quote', () => {
  for (const file of ['rsassa_sha384_mb', 'rsassa_sha512_mb', 'rsassa_multibank']) {
    const quote = RECORDED_QUOTES.find((each) => each.file === file)
    const measuredBoot = { required: true, pcrs: [0, 7] }
    expect(evaluate(recordedCase({ uefi: LOG, measuredBoot }, quote)).findings).toEqual([])
  }
})

test('one bit of a digest breaks the PCR it was extended into', () => {
  const event = parseBootLog(LOG).events.findIndex(
    ({ pcr, untrustedType }) => pcr === 7 && untrustedType !== 3,
  )
  const seen = evaluationOf({ uefi: withDigestChanged(event, 'sha256') })
  expect(seen.findings.map(({ type }) => type)).toEqual(['measured_boot.invalid_pcr_7'])
  expect(seen.failureReason).toBe('broken_evidence_chain')
})

test('without the check of the replay exactly that log passes', () => {
  const lists = { ...defaultChecks, bootPcr: [] }
  expect(evaluationOf({ uefi: withDigestChanged(3, 'sha256') }, lists).verdict).toBe('pass')
})

test('a digest of a bank that was not quoted does not matter', () => {
  expect(typesOf({ uefi: withDigestChanged(3, 'sha1') })).toEqual([])
})

test('the data of an event proves nothing and decides nothing', () => {
  const raw =
    parseBootLog(LOG).events.find(({ pcr, raw }) => pcr === 4 && raw.length > 8)?.raw ?? LOG
  expect(typesOf({ uefi: flipped(LOG, raw.byteOffset - LOG.byteOffset) })).toEqual([])
})

test('padding behind the log changes nothing', () => {
  expect(typesOf({ uefi: concat(LOG, new Uint8Array(511).fill(0xff)) })).toEqual([])
})

test('a boot policy without a log is a failure', () => {
  const seen = evaluate(recordedCase({ measuredBoot: { required: true } }))
  expect(seen.findings).toMatchObject([
    { type: 'measured_boot.missing_log', context: { check: 'uefi.present' } },
  ])
})

test('a boot policy whose PCRs were not quoted is a failure', () => {
  const quote = RECORDED_QUOTES.find(({ file }) => file === 'rsassa_sha256_10')
  const seen = evaluate(recordedCase(REQUIRED, quote))
  expect(seen.findings.map(({ type }) => type)).toEqual(['measured_boot.missing_pcrs'])
  expect(seen.failureReason).toBe('policy_violation')
})

test('a log that cannot be read breaks the chain, asked for or not', () => {
  const uefi = LOG.subarray(0, 200)
  expect(typesOf({ uefi })).toEqual(['measured_boot.parser.log'])
  expect(typesOf({ uefi, measuredBoot: { required: false } })).toEqual(['measured_boot.parser.log'])
})

test('an empty log explains nothing', () => {
  expect(typesOf({ uefi: new Uint8Array() })).toEqual(['measured_boot.parser.invalid_pcrs_hashes'])
})

test('a log that was not requested is parsed and not compared', () => {
  const uefi = withDigestChanged(3, 'sha256')
  expect(typesOf({ uefi, measuredBoot: { required: false } })).toEqual([])
})

const SHA1 = hashes.sha1

/** A SHA-1 event. */
function event(
  pcr: number,
  type: number,
  digest: Uint8Array,
  data: Uint8Array = new Uint8Array(),
): Uint8Array {
  const writer = new Writer('little')
  writer.u32(pcr)
  writer.u32(type)
  writer.put(digest)
  writer.u32(data.length)
  writer.put(data)
  return writer.finish()
}

const DIGEST = new Uint8Array(20).fill(7)
const MEASURED = event(0, 8, DIGEST)

function locality(value: number, pcr = 0): Uint8Array {
  const data = concat(Buffer.from('StartupLocality\0'), Uint8Array.of(value))
  return event(pcr, 3, new Uint8Array(20), data)
}

/** Types found for a log of PCR 0 that was started from this locality. */
function typesFor(started: number, ...parts: readonly Uint8Array[]): readonly string[] {
  const before = new Uint8Array(20)
  before[19] = started
  const values = new Map([[0, extend(SHA1, before, DIGEST)]])
  const verified = provenPcrs([{ bank: 'sha1', values }])
  const expected = { required: true, pcrs: [0] }
  const { findings } = evaluateUefi(concat(...parts), verified, 'sha1', expected)
  return findings.map(({ type, context }) =>
    `${type} ${type.endsWith('log') ? context.message : ''}`.trim(),
  )
}

test.each([0, 3, 4])('a start from locality %i is in the first value of PCR 0', (started) => {
  expect(typesFor(started, locality(started), MEASURED)).toEqual([])
  expect(typesFor(started === 0 ? 3 : 0, locality(started), MEASURED)).toEqual([
    'measured_boot.invalid_pcr_0',
  ])
})

test('a hardware root of trust starts PCR 0 from locality 4 without saying so', () => {
  const root = event(0, 0x80000010, DIGEST, Buffer.from('HCRTM'))
  expect(typesFor(4, root)).toEqual([])
  expect(typesFor(0, root)).toEqual(['measured_boot.invalid_pcr_0'])
})

test('an EV_NO_ACTION event extends nothing, with any digest', () => {
  expect(typesFor(0, event(0, 3, DIGEST), MEASURED)).toEqual([])
})

test('a StartupLocality for another PCR is ignored', () => {
  expect(typesFor(0, locality(3, 1), MEASURED)).toEqual([])
})

test.each([
  ['out of range', [locality(1), MEASURED], 'expected one byte: locality 0, 3 or 4'],
  ['given twice', [locality(3), locality(3), MEASURED], 'more than one StartupLocality'],
  ['given too late', [MEASURED, locality(3)], 'comes after a measurement into PCR 0'],
])('a startup locality %s is refused', (_, parts, problem) => {
  const [type] = typesFor(3, ...parts)
  expect(type).toMatch(/^measured_boot\.parser\.log LOG\[\d\]/)
  expect(type).toContain(problem)
})

test('a SHA-1 log does not explain a SHA-256 quote', () => {
  const verified = provenPcrs([{ bank: 'sha256', values: new Map([[0, new Uint8Array(32)]]) }])
  const { findings } = evaluateUefi(MEASURED, verified, 'sha256', { required: true, pcrs: [0] })
  expect(findings.map(({ type }) => type)).toEqual(['measured_boot.parser.invalid_pcrs_hashes'])
})

test('one event without a digest of the quoted bank refuses the log', () => {
  const writer = new Writer('little')
  for (const value of [0, 8, 1]) writer.u32(value)
  writer.u16(4)
  writer.put(DIGEST)
  writer.u32(0)
  const uefi = concat(LOG, writer.finish())
  expect(evaluationOf({ uefi }).findings).toMatchObject([
    {
      type: 'measured_boot.parser.invalid_pcrs_hashes',
      context: { message: /^LOG\[24\]\.digests .* has no digest of bank sha256/ },
    },
  ])
})
