import { existsSync, readFileSync } from 'node:fs'
import Table from 'cli-table3'
import { afterAll, describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { fromBase64 } from '../bytes/base64.ts'
import { toHex } from '../bytes/hex.ts'
import { hashByName, hashes } from '../tpm/algorithms.ts'
import { listedPcrs, provenPcrs } from './testing/proven-pcrs.ts'
import { evaluateUefi } from './uefi/evaluate-uefi.ts'
import { GUEST_REGISTERS, PCRS } from './uefi/log/log-registers.ts'
import { parseBootLog } from './uefi/log/parse-log.ts'
import { replayBank, startupLocality } from './uefi/log/replay.ts'

const DATA = new URL('../../../shared/data/', import.meta.url)
const absent = !existsSync(DATA)
const WHY = absent ? ' (skipped: no real measurement data next to the repository)' : ''

function load(file: string): Uint8Array {
  const bytes = readFileSync(new URL(file, DATA))
  if (file === WINDOWS) return fromBase64(machineOf(bytes).Raw)
  const text = /\.b64$|uefi_log\.txt$/.test(file)
  return new Uint8Array(text ? Buffer.from(bytes.toString(), 'base64') : bytes)
}

/** A machine with Windows: its log, and the PCRs that it quoted. */
const WINDOWS = 'go-attestation/attest/testdata/windows_gcp_shielded_vm.json'

interface WindowsLog {
  readonly Raw: string
  readonly PCRs: readonly { readonly Index: number; readonly Digest: string }[]
}

function machineOf(file: Uint8Array): WindowsLog {
  const { Log } = JSON.parse(Buffer.from(file).toString()) as { readonly Log: WindowsLog }
  return Log
}

interface RealLog {
  readonly file: string
  /** the expected reading, or the error */
  readonly read: string
  /** it is of the registers of a confidential guest, and not of PCRs */
  readonly guest?: true
}

const TABLE = new URL('testing/real-boot-logs.json', import.meta.url)
const LOGS = JSON.parse(readFileSync(TABLE, 'utf8')) as readonly RealLog[]

const FIXTURES = 'tpm2-tools/test/integration/fixtures/'
const PUBLISHED = [
  ['event-arch-linux.bin', 'event-raw/event-arch-linux.bin.yaml'],
  ['event-bootorder.bin', 'event-raw/event-bootorder.bin.yaml'],
  ['event-moklisttrusted.bin', 'event-raw/event-moklisttrusted.bin.yaml'],
  ['event-sd-boot-fedora37.bin', 'event-pretty-39/event-sd-boot-fedora37.bin.yaml'],
  ['event-postcode.bin', 'event-raw/event-postcode.bin.yaml'],
  ['event-uefi-sha1-log.bin', 'event-raw/event-uefi-sha1-log.bin.yaml'],
] as const

const GUEST_LOG = 'go-eventlog/testdata/eventlogs/ccel/cos-113-intel-tdx.bin'
const GUEST_QUOTE = 'go-tdx-guest/testing/testdata/ccel/cos-113-tdx-quote.dat'

/** The reading of each log, for the table. */
const rows: (readonly [file: string, read: string])[] = []

function readLog({ file, guest }: RealLog): string {
  try {
    const { events, banks } = parseBootLog(load(file), guest ? GUEST_REGISTERS : PCRS)
    return `${events.length} events of ${banks.join('/')}${guest ? ' in registers of a guest' : ''}`
  } catch (error) {
    return String(error)
  }
}

const NAMES =
  /eventlog$|eventlogs\/.*\.bin$|binary_bios_measurements|mb_log\.b64$|uefi_log\.|fixtures\/(?:event|specid).*\.bin$|fapi\/eventlog\/(?!sml).*\.b64$|windows_gcp.*\.json$|\/bootlog$/

/** Whether a file is a boot log by its name; a table that only points to a log is not. */
function isBootLog(file: string): boolean {
  return NAMES.test(file) && !file.endsWith('.table.bin')
}

const PLAIN = { head: [], border: [] }

function isPublished(file: string): boolean {
  const replayed = [...PUBLISHED.map(([log]) => FIXTURES + log), GUEST_LOG, WINDOWS]
  return replayed.includes(file) || /own-boots/.test(file)
}

describe.skipIf(absent)(`real boot logs${WHY}`, () => {
  test.each(LOGS)('$file: $read', (log) => {
    const seen = readLog(log)
    rows.push([log.file, seen])
    expect(seen).toContain(log.read)
  })

  test('that of a confidential guest is not taken for the log of a TPM', () => {
    for (const { file } of LOGS.filter(({ guest }) => guest))
      expect(() => parseBootLog(load(file))).toThrow('not the log of a TPM')
  })

  afterAll(() => {
    const head = ['boot log', 'read, or refused because', 'published values']
    const table = new Table({ head, colWidths: [76, 60, 16], wordWrap: true, style: PLAIN })
    table.push(...rows.map(([file, seen]) => [file, seen, isPublished(file) ? 'reproduced' : '']))
    console.log(table.toString())
  })

  test('each of them is in the table', () => {
    const manifest = readFileSync(new URL('MANIFEST.tsv', DATA), 'utf8').split('\n')
    const logs = manifest.map((line) => line.split('\t')[0] ?? '').filter(isBootLog)
    expect(logs.length).toBeGreaterThan(40)
    expect(logs.filter((file) => !LOGS.some((row) => row.file === file))).toEqual([])
  })
})

type PublishedPcrs = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** `sha256 0 758b…` for every PCR that is named in the published text; its values are numbers to YAML. */
function published(file: string): readonly string[] {
  const whole = readFileSync(new URL(FIXTURES + file, DATA)).toString()
  const text = whole.slice(whole.indexOf('\npcrs:'))
  const quoted = text.replaceAll(/^( +\d+ *: )(0x[0-9a-f]+)$/gm, '$1"$2"')
  const { pcrs } = parseYaml(quoted) as { readonly pcrs?: PublishedPcrs }
  return Object.entries(pcrs ?? {}).flatMap(([bank, values]) =>
    Object.entries(values).map(([pcr, value]) => `${bank} ${pcr} ${String(value).slice(2)}`),
  )
}

function replayed(file: string): readonly string[] {
  const log = parseBootLog(load(file))
  const locality = startupLocality(log.events)
  return log.banks.flatMap((name) => {
    const bank = hashByName(name)
    if (!bank) return []
    const values = [...replayBank(log, bank, locality)].sort(([left], [right]) => left - right)
    return values.map(([pcr, value]) => `${name} ${pcr} ${toHex(value)}`)
  })
}

describe.skipIf(absent)(`replay of real boot logs${WHY}`, () => {
  test.each(PUBLISHED)('%s replays to the PCRs published for it', (log, yaml) => {
    expect(published(yaml).length).toBeGreaterThan(0)
    expect(replayed(FIXTURES + log)).toEqual(published(yaml))
  })
})

/** RTMR 0 to 3 of a quote of TDX, version 4: behind a header of 48 bytes, at 328 of the report. */
function runtimeRegisters(quote: Uint8Array): readonly string[] {
  const at = (register: number) => 48 + 328 + 48 * register
  return [0, 1, 2, 3].map((register) => toHex(quote.subarray(at(register), at(register + 1))))
}

describe.skipIf(absent)(`replay of logs that nothing is judged by${WHY}`, () => {
  test('a log of Windows gives the PCRs that its machine quoted', () => {
    const { PCRs } = machineOf(readFileSync(new URL(WINDOWS, DATA)))
    const quoted = new Map(PCRs.map(({ Index, Digest }) => [Index, fromBase64(Digest)]))
    const { events } = parseBootLog(load(WINDOWS))
    const expected = [...new Set(events.map(({ pcr }) => pcr))].sort((one, other) => one - other)
    const lineOf = (pcr: number) => `sha1 ${pcr} ${toHex(quoted.get(pcr) ?? new Uint8Array())}`
    expect(replayed(WINDOWS)).toEqual(expected.map(lineOf))
  })

  test('that of a confidential guest gives the registers that its processor quoted, and no other does', () => {
    const replay = (file: string) => {
      const values = replayBank(parseBootLog(load(file), GUEST_REGISTERS), hashes.sha384, 0)
      return [1, 2, 3, 4].map((register) => toHex(values.get(register) ?? new Uint8Array(48)))
    }
    const quoted = runtimeRegisters(load(GUEST_QUOTE))
    expect(replay(GUEST_LOG)).toEqual(quoted)
    expect(replay(GUEST_LOG.replace('.bin', '-dupe-separator.bin'))).not.toEqual(quoted)
  })
})

const BOOTS = ['imang', 'imasigv2', 'seabios'] as const

describe.skipIf(absent)(`recorded boots that are not in the repository${WHY}`, () => {
  const verified = (boot: string) =>
    provenPcrs(
      listedPcrs(readFileSync(new URL(`own-boots/${boot}/pcrs_before_tools.txt`, DATA)).toString()),
    )

  test.each(BOOTS)('the boot log of %s replays in all four banks', (boot) => {
    const log = load(`own-boots/${boot}/binary_bios_measurements`)
    const expected = { required: true, pcrs: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] }
    expect(evaluateUefi(log, verified(boot), 'sha256', expected).findings).toEqual([])
  })
})
