import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import picocolors from 'picocolors'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../conformance/target/testing/test-support.ts'
import { cat, filled, fromHex, text, u16le, u32le } from '../../simulator/tpm/write.ts'
import { EV } from '../../simulator/uefi/event-types.ts'
import type { Kind } from './inspection.ts'
import { plainTable } from './plain-table.ts'
import { presentInspection } from './present.ts'
import { bootBytes, bootFile, inspected, warningsOf } from './test-support.ts'

/** Length of a repeated character that takes a quadratic regular expression minutes. */
const RUN = 400_000

/** More items than a function call accepts as arguments. */
const ARGUMENTS = 140_000

const SHA1 = 0x0004
const SHA1_SIZE = 20

function event(type: number, data: Uint8Array): Uint8Array {
  const digest = cat(u32le(1), u16le(SHA1), filled(SHA1_SIZE, 1))
  return cat(u32le(1), u32le(type), digest, u32le(data.length), data)
}

function header(algorithms: readonly number[]): Uint8Array {
  const sizes = algorithms.map((alg) => cat(u16le(alg), u16le(SHA1_SIZE)))
  const versions = Uint8Array.of(0, 0, 0, 0, 0, 2, 0, 2)
  const list = cat(u32le(sizes.length), ...sizes, filled(1))
  const data = cat(text('Spec ID Event03\0'), versions, list)
  return cat(u32le(0), u32le(EV.NO_ACTION), filled(SHA1_SIZE), u32le(data.length), data)
}

function u64le(value: number): Uint8Array {
  return cat(u32le(value), u32le(0))
}

const utf16 = (words: string) => new Uint8Array(Buffer.from(words, 'utf16le'))

function variable(name: string, value: Uint8Array): Uint8Array {
  return cat(filled(16), u64le(name.length), u64le(value.length), utf16(name), value)
}

const LOG = header([SHA1])
const NAME_NODE = utf16(`${'\0'.repeat(32_763)}A\0`)
const FILE_NODE = cat(Uint8Array.of(4, 4), u16le(NAME_NODE.length + 4), NAME_NODE)
const PATH = cat(...Array.from({ length: 24 }, () => FILE_NODE), fromHex('7fff0400'))
const IMAGE = event(EV.EFI_BOOT_SERVICES_APPLICATION, cat(filled(24), u64le(PATH.length), PATH))
const KIND_OF_DIGESTS = fromHex('2616c4c14c509240aca941f936934328')

function policyWith(exclude: string): string {
  return JSON.stringify({ digests: {}, excludes: [exclude] })
}

function entryOf(template: string, fields: Uint8Array): Uint8Array {
  const head = cat(u32le(10), filled(20, 1), u32le(template.length), text(template))
  return cat(head, u32le(fields.length), fields)
}

test.each<[string, Kind, Uint8Array | string]>([
  ['base64 with padding inside', 'attest', `AAAA${'='.repeat(RUN)}A`],
  ['an exclude of brackets', 'policy', policyWith(`${')'.repeat(RUN)}a`)],
  ['an exclude of plus signs', 'policy', policyWith(`(${'+'.repeat(RUN)}`)],
  ['a text with zeros inside', 'eventlog', cat(LOG, event(EV.IPL, cat(filled(RUN), text('A\0A'))))],
  ['a device path of zeros', 'eventlog', cat(LOG, IMAGE, IMAGE, IMAGE)],
  [
    'a header of all algorithms',
    'eventlog',
    cat(
      header(Array.from({ length: 60_000 }, (_, alg) => alg)),
      ...Array.from({ length: 20_000 }, () => cat(u32le(1), u32le(1), filled(8))),
    ),
  ],
])('%s is decoded in time', (_, kind, content) => {
  expect(inspected(kind, content).kind).toBe(kind)
})

test('a long boot order is shortened and presented in time', () => {
  const order = event(EV.EFI_VARIABLE_BOOT2, variable('BootOrder', filled(RUN, 1)))
  const look = { colours: picocolors.createColors(false), width: 100 }
  const shown = presentInspection(inspected('eventlog', cat(LOG, order)), look)
  expect(shown).toMatch(/"BootOrder": 0101, 0101/)
  expect(shown.length).toBeLessThan(5000)
})

test('PCR values with a long line of spaces are read in time', () => {
  const pcrs = join(temporaryDirectory(), 'pcrs')
  writeFileSync(pcrs, `sha1${' '.repeat(RUN)}x\nsha256 10 ${'00'.repeat(32)}\n`)
  const { comparisons } = inspected('imalog', bootBytes('ascii_after_tools'), { pcrs })
  expect(comparisons.find(({ id }) => id === 'pcr-10-sha256')?.holds).toBe(false)
})

test('PCR values between other lines are found', () => {
  const { comparisons } = inspected('imalog', bootBytes('ascii_after_tools'), {
    pcrs: bootFile('pcrs_after_tools.txt'),
  })
  expect(comparisons.map(({ holds }) => holds)).not.toContain(false)
})

test('an entry with an unknown template can have any number of fields', () => {
  const { ima } = inspected('imalog', entryOf('foo', filled(4 * (ARGUMENTS / 2))))
  expect(ima?.shown[0]?.fields).toHaveLength(ARGUMENTS / 2)
})

test.each([
  [
    'db',
    cat(KIND_OF_DIGESTS, u32le(28 + 16 * ARGUMENTS), u32le(0), u32le(16), filled(16 * ARGUMENTS)),
    `${ARGUMENTS} signatures`,
  ],
  ['Boot0001', cat(u32le(1), u16le(0), utf16('a'.repeat(ARGUMENTS)), filled(2)), '"aaaa'],
])('a large variable %s is explained', (name, value, says) => {
  const log = cat(LOG, event(EV.EFI_VARIABLE_DRIVER_CONFIG, variable(name, value)))
  const { eventlog, warnings } = inspected('eventlog', log)
  expect(eventlog?.shown[1]?.says).toContain(says)
  expect(warnings.map(({ id }) => id)).not.toContain('event-data')
})

test('a truncated firmware volume is reported with the number of missing bytes', () => {
  const blob = (data: Uint8Array) => cat(LOG, event(EV.EFI_PLATFORM_FIRMWARE_BLOB, data))
  expect(warningsOf('eventlog', blob(filled(16)))).not.toContain('event-data')
  const [warning] = inspected('eventlog', blob(filled(3))).warnings.filter(
    ({ id }) => id === 'event-data',
  )
  expect(warning?.places[0]?.says).toMatch(/8 byte\(s\) wanted, 3 there/)
})

test.each([
  ['(a+)+', ['unsafe-exclude']],
  ['(a+)b+', []],
  ['(ab)+', []],
  ['(.*)$', ['wide-exclude']],
  ['(a.*)$', []],
])('the exclude %s has the warnings %j', (exclude, wanted) => {
  const found = warningsOf('policy', policyWith(exclude))
  expect(found.filter((id) => id.endsWith('-exclude'))).toEqual(wanted)
})

test('a table that is formatted in several parts has one head and each row once', () => {
  const rows = Array.from({ length: 1002 }, (_, at) => [`${at}`])
  const table = plainTable([{ head: 'number', width: 10 }], rows)
  expect(table.filter((line) => line !== '')).toEqual(['number', ...rows.flat()])
})
