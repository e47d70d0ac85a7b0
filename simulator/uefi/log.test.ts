import { expect, test } from 'vitest'
import { toHex } from '../tpm/write.ts'
import { fixture } from '../vectors/fixtures.ts'
import {
  EV_NO_ACTION,
  extendedDigests,
  parseUefiLog,
  specIdEvent,
  type UefiEvent,
  writeUefiEvent,
  writeUefiLog,
} from './log.ts'

const BYTES = fixture('binary_bios_measurements')
const LOG = parseUefiLog(BYTES)

test('the recorded log is read to its end and survives a round trip unchanged', () => {
  expect(LOG.leftover).toHaveLength(0)
  expect(LOG.events.length).toBeGreaterThan(20)
  expect(writeUefiLog(LOG)).toEqual(BYTES)
})

test('the header states the banks of the log', () => {
  expect([...LOG.algorithms]).toEqual([
    [4, 20],
    [11, 32],
    [12, 48],
    [13, 64],
  ])
})

test('a generated header states the banks of the recorded one', () => {
  const made = specIdEvent(['sha1', 'sha256', 'sha384', 'sha512'])
  expect(toHex(made)).toBe(toHex(LOG.header))
})

test('an informational event is not extended', () => {
  const [event] = LOG.events
  expect(Object.keys(extendedDigests(event as UefiEvent))).toHaveLength(4)
  expect(extendedDigests({ ...(event as UefiEvent), type: EV_NO_ACTION })).toEqual({})
})

test('a truncated log returns the complete events and the remaining bytes', () => {
  const cut = parseUefiLog(BYTES.subarray(0, BYTES.length - 1))
  expect(cut.events).toHaveLength(LOG.events.length - 1)
  const whole = writeUefiEvent(LOG.events.at(-1) as UefiEvent)
  expect(cut.leftover).toEqual(whole.subarray(0, whole.length - 1))
})

test('reading ends at an event with an algorithm that the header does not state', () => {
  const [first, second] = LOG.events as [UefiEvent, UefiEvent]
  const strange = { ...second, digests: new Map([[0x12, new Uint8Array(32)]]) }
  const read = parseUefiLog(writeUefiLog({ ...LOG, events: [first, strange] }))
  expect(read.events).toHaveLength(1)
})
