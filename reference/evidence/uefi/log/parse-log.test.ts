import { expect, test } from 'vitest'
import { concat, Writer } from '../../../bytes/writer.ts'
import { recorded } from '../../../tpm/testing/recorded-boot.ts'
import { GUEST_REGISTERS } from './log-registers.ts'
import { parseBootLog } from './parse-log.ts'

const LOG = recorded('binary_bios_measurements')
const SHA1 = [4, 20] as const
const SHA256 = [11, 32] as const

interface HeaderPart {
  readonly pcr?: number
  readonly signature?: string
  readonly version?: readonly [minor: number, major: number]
  readonly uintnSize?: number
  readonly algorithms?: readonly (readonly [id: number, size: number])[]
  readonly vendorInfo?: Uint8Array
  readonly tail?: Uint8Array
}

function specId(part: HeaderPart): Uint8Array {
  const { version: [minor, major] = [0, 2], algorithms = [SHA1, SHA256] } = part
  const body = new Writer('little')
  body.put(Buffer.from(part.signature ?? 'Spec ID Event03\0'))
  body.u32(0)
  body.put(Uint8Array.of(minor, major, 0, part.uintnSize ?? 2))
  body.u32(algorithms.length)
  for (const [id, size] of algorithms) {
    body.u16(id)
    body.u16(size)
  }
  body.u8(part.vendorInfo?.length ?? 0)
  body.put(part.vendorInfo ?? new Uint8Array())
  body.put(part.tail ?? new Uint8Array())
  return body.finish()
}

function header(part: HeaderPart = {}): Uint8Array {
  return oldEvent({ pcr: part.pcr ?? 0, type: 3, data: specId(part) })
}

interface EventPart {
  readonly pcr?: number
  readonly type?: number
  readonly data?: Uint8Array
  readonly digests?: readonly (readonly [id: number, size: number])[]
  readonly count?: number
  readonly size?: number
}

function oldEvent({ pcr = 0, type = 1, data = new Uint8Array() }: EventPart): Uint8Array {
  const writer = new Writer('little')
  writer.u32(pcr)
  writer.u32(type)
  writer.put(new Uint8Array(20))
  writer.u32(data.length)
  writer.put(data)
  return writer.finish()
}

function event(part: EventPart = {}): Uint8Array {
  const { pcr = 7, type = 1, data = Uint8Array.of(1, 2, 3), digests = [SHA1, SHA256] } = part
  const writer = new Writer('little')
  writer.u32(pcr)
  writer.u32(type)
  writer.u32(part.count ?? digests.length)
  for (const [id, size] of digests) {
    writer.u16(id)
    writer.put(new Uint8Array(size).fill(id))
  }
  writer.u32(part.size ?? data.length)
  writer.put(data)
  return writer.finish()
}

test('the recorded log has four banks and 24 events, and every byte of it is read', () => {
  const log = parseBootLog(LOG)
  expect(log).toMatchObject({ form: 'crypto-agile', padding: 0 })
  expect(log.banks).toEqual(['sha1', 'sha256', 'sha384', 'sha512'])
  expect(log.events).toHaveLength(24)
})

test('the recorded log is read to a shorter one only when cut between two events', () => {
  const whole = parseBootLog(LOG).events.length
  const read: number[] = []
  for (let length = 65; length < LOG.length; length++) {
    try {
      read.push(parseBootLog(LOG.subarray(0, length)).events.length)
    } catch (error) {
      expect(String(error)).toMatch(/^WireError: LOG.* at byte \d+: /)
    }
  }
  expect(new Set(read).size).toBeLessThanOrEqual(whole)
})

test('an empty log, and one with its header only, have no events', () => {
  expect(parseBootLog(new Uint8Array()).events).toEqual([])
  expect(parseBootLog(header()).events).toEqual([])
})

test('digests are assigned by their algorithm, in any order', () => {
  const log = parseBootLog(concat(header(), event({ digests: [SHA256, SHA1] })))
  expect(log.events[0]?.digests.get('sha1')).toEqual(new Uint8Array(20).fill(4))
  expect(log.events[0]?.digests.get('sha256')).toEqual(new Uint8Array(32).fill(11))
})

test('an algorithm without a name is skipped by its size', () => {
  const algorithms = [[0x7fff, 5], SHA256] as const
  const log = parseBootLog(concat(header({ algorithms }), event({ digests: algorithms })))
  expect(log.banks).toEqual(['0x7fff', 'sha256'])
})

test('vendor information in the header is skipped', () => {
  expect(parseBootLog(header({ vendorInfo: Uint8Array.of(1, 2) })).form).toBe('crypto-agile')
})

test('an event without data is an event', () => {
  const log = parseBootLog(concat(header(), event({ data: new Uint8Array() }), event()))
  expect(log.events).toHaveLength(2)
})

test.each(['Spec ID Event00\0', 'Spec ID Event02\0', 'Spec ID Event03.', 'StartupLocality\0\x03'])(
  'a log that begins with %j is a SHA-1 log',
  (text) => {
    const first = oldEvent({ type: 3, data: Buffer.from(text, 'latin1') })
    const log = parseBootLog(concat(first, oldEvent({ pcr: 4 })))
    expect(log).toMatchObject({ form: 'sha1', banks: ['sha1'] })
    expect(log.events).toHaveLength(2)
  },
)

test.each([
  ['zeros', 0],
  ['ones', 0xff],
])('%s behind the last event are padding and no events', (_, fill) => {
  for (const length of [1, 3, 511, 4096]) {
    const log = parseBootLog(concat(header(), event(), new Uint8Array(length).fill(fill)))
    expect(log).toMatchObject({ padding: length, events: { length: 1 } })
  }
})

test('zeros before another event are not padding', () => {
  const bytes = concat(header(), event(), new Uint8Array(16), event())
  expect(parseBootLog(bytes).events).toHaveLength(3)
})

test('megabytes of zeros in front of a last byte are refused in time', () => {
  const bytes = concat(header(), new Uint8Array(1 << 20), Uint8Array.of(1))
  expect(() => parseBootLog(bytes)).toThrow(/^LOG/)
})

test('an EV_NO_ACTION event may stand outside of all PCRs, any other may not', () => {
  const outside = (type: number) => concat(header(), event({ pcr: 0xffffffff, type }))
  expect(parseBootLog(outside(3)).events).toHaveLength(1)
  expect(() => parseBootLog(outside(1))).toThrow('PCR 4294967295, 0 to 23 allowed')
})

test('the log of a confidential guest is read as one, and a log of PCRs is not', () => {
  const guest = concat(header({ pcr: 1 }), event({ pcr: 4 }))
  expect(parseBootLog(guest, GUEST_REGISTERS).events).toMatchObject([{ pcr: 4 }])
  expect(() => parseBootLog(LOG, GUEST_REGISTERS)).toThrow('not the log of a confidential guest')
})

test.each([0, 5])('the log of a confidential guest has no event of register %i', (pcr) => {
  const bytes = concat(header({ pcr: 1 }), event({ pcr }))
  expect(() => parseBootLog(bytes, GUEST_REGISTERS)).toThrow(`register ${pcr}, 1 to 4 allowed`)
})

test.each<[string, Uint8Array, string]>([
  [
    'no algorithm',
    header({ algorithms: [] }),
    'LOG.header.event.digestSizes at byte 56: 0 algorithms',
  ],
  ['an algorithm twice', header({ algorithms: [SHA1, SHA1] }), 'an algorithm is listed twice'],
  ['SHA-256 of 20 bytes', header({ algorithms: [[11, 20]] }), '20 bytes for sha256, expected 32'],
  ['version 1.2', header({ version: [2, 1] }), 'specification version 1.2, expected 2.x'],
  ['an UINTN of 3', header({ uintnSize: 3 }), 'uintnSize is 3'],
  [
    'bytes behind its header',
    header({ tail: Uint8Array.of(0) }),
    'LOG.header.event at byte 69: 1 byte(s) left over',
  ],
  ['the register of another machine', header({ pcr: 1 }), 'not the log of a TPM'],
  ['the name of an ACPI table', Buffer.from('CCEL8\0\0\0'), 'is the ACPI table CCEL'],
  [
    'a header with a digest',
    header().fill(1, 27, 28),
    'LOG.header.digest at byte 27: expected padding of zeros, got 1',
  ],
  ['PCR 24', concat(header(), event({ pcr: 24 })), 'LOG[0] at byte 69: PCR 24, 0 to 23 allowed'],
  ['four digests for two', concat(header(), event({ count: 4 })), '4 digests, the header lists 2'],
  ['a digest twice', concat(header(), event({ digests: [SHA1, SHA1] })), 'sha1 has two digests'],
  [
    'a digest of no bank',
    concat(header(), event({ digests: [[12, 48]] })),
    'algorithm 0x000c is not in the header',
  ],
  ['an event too long', concat(header(), event({ size: 4 })), 'LOG[0].event at byte'],
  [
    'an event of 4 GiB',
    concat(header(), event({ size: 0xffffffff })),
    'needs 4294967295 byte(s), 3 left',
  ],
])('a log with %s is refused', (_, bytes, problem) => {
  expect(() => parseBootLog(bytes)).toThrow(problem)
})
