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

test('a sound log has no warning', () => {
  expect(warningsOf('eventlog', SOUND)).toEqual([])
  expect(warningsOf('eventlog', withFirst(LOCALITY))).toEqual([])
})

test('an image is never told to have a wrong digest: its data is not what was hashed', () => {
  expect(warningsOf('eventlog', logWith('uefi-image-elsewhere'))).toEqual([])
  const unread = measures(2, 'EFI_BOOT_SERVICES_DRIVER', filled(3), text('a driver'))
  expect(warningsOf('eventlog', withFirst(eventOf(unread, FORM.banks)))).toEqual(['event-data'])
})

const LOG = bootBytes('binary_bios_measurements')

test('the recorded log replays to every published PCR, and to those of a quote', () => {
  for (const pcrs of [bootFile('pcrs_before_tools.txt'), bootFile('rsassa_sha256_all.pcrs')]) {
    const { comparisons } = inspected('eventlog', LOG, { pcrs })
    expect(comparisons.length).toBeGreaterThan(0)
    expect(comparisons.filter(({ holds }) => holds !== true)).toEqual([])
  }
})

test('PCR values may be given as the whole quote', () => {
  const file = join(temporaryDirectory(), 'quote.txt')
  writeFileSync(file, quoteText('rsassa_sha256_all'))
  expect(inspected('eventlog', LOG, { pcrs: file }).comparisons[0]?.holds).toBe(true)
})

test('a log that lacks an event does not replay, and says which PCR', () => {
  const at = boundaries(LOG)
  const cut = LOG.subarray(0, at.at(-2))
  const { comparisons } = inspected('eventlog', cut, { pcrs: bootFile('pcrs_before_tools.txt') })
  expect(comparisons.find(({ id }) => id === 'boot-pcrs-sha256')).toMatchObject({
    holds: false,
    says: expect.stringContaining('PCR 5 of sha256 is NOT'),
  })
})

test('a log that is cut inside an event breaks there, with the events before it', () => {
  const at = boundaries(LOG)
  for (let length = (at[0] ?? 0) + 1; length < LOG.length; length += 7) {
    const { broken, eventlog } = inspected('eventlog', LOG.subarray(0, length))
    const ends = at.filter((end) => end <= length)
    // Zeros behind the last event are padding: nobody can tell that more was to come.
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
])('a log in %s is the same as its bytes', (_, content) => {
  expect(inspected('eventlog', content).eventlog).toEqual(inspected('eventlog', LOG).eventlog)
})

const DATA = '../shared/data'

/** Where real logs are, by how their names end. */
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

/** Where the tool is known to be another reader than the rest, and why; judged by hand. */
const { eventlog: KNOWN } = parse(readFileSync('fixtures/oracles/eventlog.yaml', 'utf8')) as {
  readonly eventlog: readonly { readonly file: string; readonly differs: string }[]
}

/** In what the tool's reading of a log is another; empty where it is the same. */
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
    const told = others.filter(([, differs]) => differs !== '').map(([file]) => file)
    expect(told).toEqual(REAL.filter((file) => KNOWN.some((one) => file.endsWith(one.file))))
  },
)
