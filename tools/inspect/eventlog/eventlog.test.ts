import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { temporaryDirectory } from '../../../conformance/target/testing/test-support.ts'
import { toldByTool } from '../../../simulator/testing/eventlog-tool.ts'
import { HAS_TOOLS } from '../../../simulator/testing/tools.ts'
import { filled, text } from '../../../simulator/tpm/write.ts'
import { boundaries } from '../../../simulator/uefi/log-overrides.ts'
import { eventOf, measures } from '../../../simulator/uefi/measured-event.ts'
import { base64, bootBytes, bootFile, inspected, quoteText, warningsOf } from '../test-support.ts'
import { FORM, LOCALITY, logWith, SOUND, withFirst } from './eventlog-twins.ts'

test('a regular log has no warnings', () => {
  expect(warningsOf('eventlog', SOUND)).toEqual([])
  expect(warningsOf('eventlog', withFirst(LOCALITY))).toEqual([])
})

test('the digest of an image is not compared with its data', () => {
  expect(warningsOf('eventlog', logWith('uefi-image-elsewhere'))).toEqual([])
  const unread = measures(2, 'EFI_BOOT_SERVICES_DRIVER', filled(3), text('a driver'))
  expect(warningsOf('eventlog', withFirst(eventOf(unread, FORM.banks)))).toEqual(['event-data'])
})

const LOG = bootBytes('binary_bios_measurements')

test('the recorded log replays to the published PCRs and to those of a quote', () => {
  for (const pcrs of [bootFile('pcrs_before_tools.txt'), bootFile('rsassa_sha256_all.pcrs')]) {
    const { comparisons } = inspected('eventlog', LOG, { pcrs })
    expect(comparisons.length).toBeGreaterThan(0)
    expect(comparisons.filter(({ holds }) => holds !== true)).toEqual([])
  }
})

test('--pcrs accepts a whole quote', () => {
  const file = join(temporaryDirectory(), 'quote.txt')
  writeFileSync(file, quoteText('rsassa_sha256_all'))
  expect(inspected('eventlog', LOG, { pcrs: file }).comparisons[0]?.holds).toBe(true)
})

test('a log without one event does not replay, and the PCR is named', () => {
  const at = boundaries(LOG)
  const cut = LOG.subarray(0, at.at(-2))
  const { comparisons } = inspected('eventlog', cut, { pcrs: bootFile('pcrs_before_tools.txt') })
  expect(comparisons.find(({ id }) => id === 'boot-pcrs-sha256')).toMatchObject({
    holds: false,
    says: expect.stringContaining('PCR 5 of sha256 does NOT match'),
  })
})

test('a truncated log is decoded up to the last complete event', () => {
  const at = boundaries(LOG)
  for (let length = (at[0] ?? 0) + 1; length < LOG.length; length += 7) {
    const { broken, eventlog } = inspected('eventlog', LOG.subarray(0, length))
    const ends = at.filter((end) => end <= length)
    // Zeros after the last event count as padding, so this truncation is not detectable.
    const isPadding = LOG.subarray(ends.at(-1), length).every((byte) => byte === 0)
    expect([length, broken.length]).toEqual([length, isPadding ? 0 : 1])
    expect(eventlog?.events).toBe(ends.length)
  }
})

test.each([
  ['base64', base64(LOG)],
  ['a pull answer', JSON.stringify({ results: { mb_measurement_list: base64(LOG) } })],
  ['verify/evidence', JSON.stringify({ data: { mb_log: base64(LOG) } })],
  [
    'a push PATCH',
    JSON.stringify({ a: [{ evidence_type: 'uefi_log', data: { entries: base64(LOG) } }] }),
  ],
])('a log in the form of %s is decoded like its bytes', (_, content) => {
  expect(inspected('eventlog', content).eventlog).toEqual(inspected('eventlog', LOG).eventlog)
})

const DATA = '../shared/data'

/** Folders of real logs, and patterns of their names. */
const PLACES: readonly (readonly [folder: string, name: RegExp])[] = [
  ['go-attestation/attest/testdata', /eventlog$/],
  ['go-eventlog/testdata/eventlogs/tpm', /\.bin$/],
  ['go-eventlog/testdata/eventlogs/ccel', /(data|tdx|separator|unpadded|event_log)\.bin$/],
  ['keylime/test/data/create-mb-policy', /measurements(-secureboot)?$/],
  ['rust-keylime/keylime-push-model-agent/test-data', /uefi_log\.bin$/],
  ['tpm2-tools/test/integration/fixtures', /^event.*\.bin$/],
  ['uefi-eventlog-rs/test_assets', /bootlog$/],
  ...['imang', 'imasigv2', 'seabios'].map((boot) => [`own-boots/${boot}`, /^binary_bios/] as const),
]

const REAL = PLACES.flatMap(([folder, name]) => {
  const path = join(DATA, folder)
  return existsSync(path)
    ? readdirSync(path)
        .filter((file) => name.test(file))
        .map((file) => join(path, file))
    : []
})

/** Known differences of the tool from other parsers, reviewed manually. */
const { eventlog: KNOWN } = parse(readFileSync('fixtures/oracles/eventlog.yaml', 'utf8')) as {
  readonly eventlog: readonly { readonly file: string; readonly differs: string }[]
}

/** Describes how the result of the tool differs; empty if it is the same. */
async function difference(file: string): Promise<string> {
  const { eventlog } = inspected('eventlog', new Uint8Array(readFileSync(file)))
  const { events, pcrs, complaint } = await toldByTool(file)
  const ours = new Map(eventlog?.replay.map((row) => [`${row.bank} ${row.pcr}`, row.value]))
  const other = [...pcrs].filter(([key, value]) => ours.get(key) !== value).map(([key]) => key)
  const same = events === eventlog?.events && other.length === 0 && pcrs.size > 0
  return same ? '' : `${events} of ${eventlog?.events} events, ${other.length} PCRs: ${complaint}`
}

test.skipIf(REAL.length === 0)('real logs > every real log is read to its end', () => {
  const broken = REAL.flatMap((file) =>
    inspected('eventlog', new Uint8Array(readFileSync(file))).broken.map(({ why }) => [file, why]),
  )
  expect(broken).toEqual([])
  expect(REAL.length).toBeGreaterThan(35)
})

test.skipIf(REAL.length === 0 || !HAS_TOOLS)(
  'real logs > tpm2_eventlog reads as many events in them, and replays them to the same PCRs',
  async () => {
    const others = await Promise.all(REAL.map(async (file) => [file, await difference(file)]))
    const differing = others.filter(([, differs]) => differs !== '').map(([file]) => file)
    expect(differing).toEqual(REAL.filter((file) => KNOWN.some((one) => file.endsWith(one.file))))
  },
)
