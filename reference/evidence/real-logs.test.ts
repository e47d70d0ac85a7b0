import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { toHex } from '../bytes/hex.ts'
import { hashByName } from '../tpm/algorithms.ts'
import { listedPcrs, provenPcrs } from './testing/proven-pcrs.ts'
import { evaluateUefi } from './uefi/evaluate-uefi.ts'
import { parseBootLog } from './uefi/parse-log.ts'
import { replayBank, startupLocality } from './uefi/replay.ts'

const DATA = new URL('../../../shared/data/', import.meta.url)
const absent = !existsSync(DATA)
const WHY = absent ? ' (skipped: no real measurement data beside the repository)' : ''

function load(file: string): Uint8Array {
  const bytes = readFileSync(new URL(file, DATA))
  const text = /\.b64$|uefi_log\.txt$/.test(file)
  return new Uint8Array(text ? Buffer.from(bytes.toString(), 'base64') : bytes)
}

/** Boot logs: what is read, or why nothing is. */
const LOGS: readonly (readonly [file: string, expected: string])[] = [
  [
    'go-attestation/attest/testdata/coreos_36_shielded_vm_no_secure_boot_eventlog',
    '75 events of sha1/sha256/sha384',
  ],
  ['go-attestation/attest/testdata/crypto_agile_eventlog', '26 events of sha256'],
  ['go-attestation/attest/testdata/ebs_event_missing_eventlog', '38 events of sha1'],
  ['go-attestation/attest/testdata/option_rom_eventlog', '61 events of sha1'],
  ['go-attestation/attest/testdata/sb_cert_eventlog', '14 events of sha1/sha256/sha384'],
  ['go-attestation/attest/testdata/short_no_action_eventlog', '1 events of sha1'],
  [
    'go-attestation/attest/testdata/ubuntu_2104_shielded_vm_no_secure_boot_eventlog',
    '105 events of sha1/sha256/sha384',
  ],
  ['go-eventlog/testdata/eventlogs/tpm/arch-linux-workstation.bin', '24 events of sha1/sha256'],
  ['go-eventlog/testdata/eventlogs/tpm/debian-10.bin', '25 events of sha1'],
  ['go-eventlog/testdata/eventlogs/tpm/glinux-alex.bin', '28 events of sha1/sha256'],
  ['go-eventlog/testdata/eventlogs/tpm/rhel8-uefi.bin', '82 events of sha1/sha256/sha384'],
  ['go-eventlog/testdata/eventlogs/ccel/CCEL.bin', 'PCR 1279607619, 0 to 23 allowed'],
  [
    'go-eventlog/testdata/eventlogs/ccel/cos-113-intel-tdx.bin',
    'the header is for register 1, expected PCR 0',
  ],
  ['keylime/test/data/mb_log.b64', '101 events of sha256'],
  ['keylime/test/data/create-mb-policy/binary_bios_measurements', '120 events of sha1/sha256'],
  ['keylime/test/data/create-mb-policy/binary_bios_measurements-secureboot', '98 events of sha256'],
  ['keylime/test/data/create-mb-policy/binary_bios_measurements-empty', '0 events of sha1'],
  [
    'keylime/test/data/create-mb-policy/binary_bios_measurements-bogus',
    'PCR 1969712994, 0 to 23 allowed',
  ],
  ['keylime-perf-tests/data/uefi_log.txt', '152 events of sha256/sha384'],
  ['rust-keylime/keylime-push-model-agent/test-data/uefi_log.bin', '123 events of sha256'],
  ['tpm2-tools/test/integration/fixtures/event-moklisttrusted.bin', '96 events of sha256'],
  ['tpm2-tools/test/integration/fixtures/event-postcode.bin', '58 events of sha1/sha256'],
  ['tpm2-tools/test/integration/fixtures/event-sd-boot-fedora37.bin', '27 events of sha256'],
  ['tpm2-tools/test/integration/fixtures/event-uefi-sha1-log.bin', '17 events of sha1'],
  ['tpm2-tools/test/integration/fixtures/event.bin', '1 events of sha1/sha256/sha384/sha512'],
  // Its header event ends where the vendor information it announces begins.
  [
    'tpm2-tools/test/integration/fixtures/specid-vendordata.bin',
    'LOG.header.event.vendorInfo at byte 69: needs 4',
  ],
  ['tpm2-tss/test/data/fapi/eventlog/specid-vendordata.b64', '0 events of sha1/sha256'],
  [
    'tpm2-tss/test/data/fapi/eventlog/binary_measurements_hcrtm.b64',
    '203 events of sha1/sha256/sm3_256',
  ],
  ['tpm2-tss/test/data/fapi/eventlog/binary_measurements_nuc.b64', '17 events of sha1'],
  ['uefi-eventlog-rs/test_assets/bootlog', '100 events of sha1/sha256'],
]

function readLog(file: string): string {
  try {
    const { events, banks } = parseBootLog(load(file))
    return `${events.length} events of ${banks.join('/')}`
  } catch (error) {
    return String(error)
  }
}

describe.skipIf(absent)(`real boot logs${WHY}`, () => {
  test.each(LOGS)('%s: %s', (file, expected) => {
    expect(readLog(file)).toContain(expected)
  })
})

const FIXTURES = 'tpm2-tools/test/integration/fixtures/'
const PUBLISHED = [
  ['event-arch-linux.bin', 'event-raw/event-arch-linux.bin.yaml'],
  ['event-bootorder.bin', 'event-raw/event-bootorder.bin.yaml'],
  ['event-moklisttrusted.bin', 'event-raw/event-moklisttrusted.bin.yaml'],
  ['event-sd-boot-fedora37.bin', 'event-pretty-39/event-sd-boot-fedora37.bin.yaml'],
  ['event-postcode.bin', 'event-raw/event-postcode.bin.yaml'],
  ['event-uefi-sha1-log.bin', 'event-raw/event-uefi-sha1-log.bin.yaml'],
] as const

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
  const log = parseBootLog(load(FIXTURES + file))
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
    expect(replayed(log)).toEqual(published(yaml))
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
