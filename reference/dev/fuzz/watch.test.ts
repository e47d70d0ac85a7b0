import { hash } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { now } from './clocks.ts'
import type { Input, Judgement, Target } from './target.ts'
import { watch } from './watch.ts'
import { countWork } from './work.ts'

const work = countWork()
afterAll(() => work.remove())

const PASSED: Judgement = { verdict: 'pass', says: [] }

function target(judge: (input: Input) => Judgement): Target {
  return { name: 'made up', honest: [], mutate: (input) => input, judge }
}

function faultsOf(judge: (input: Input) => Judgement, size: number, clock = now) {
  const input = { of: 0, bytes: new Uint8Array(size) }
  return watch(target(judge), input, { now: clock, work }).faults.map(({ kind }) => kind)
}

test('what passes in time has no fault', () => {
  expect(faultsOf(() => PASSED, 100_000)).toEqual([])
})

test('what must not pass and what is written in another way are faults', () => {
  expect(faultsOf(() => ({ ...PASSED, mustNotPass: 'no' }), 1)).toEqual(['false-pass'])
  expect(faultsOf(() => ({ ...PASSED, changed: 'no' }), 1)).toEqual(['round-trip'])
})

test('any exception is a crash, and tells its place', () => {
  const judge = () => {
    throw new TypeError('undefined is no list')
  }
  const seen = watch(target(judge), { of: 0 }, { now, work })
  expect(seen.faults).toEqual([
    { kind: 'crash', message: 'TypeError: undefined is no list (watch.test.ts)' },
  ])
})

function hashing(perByte: number) {
  return ({ bytes }: Input): Judgement => {
    const size = bytes instanceof Uint8Array ? bytes.length : 0
    hash('sha1', new Uint8Array(65_536 + size * perByte))
    return PASSED
  }
}

test('work is counted in hashed bytes, which may be so many a byte and no more', () => {
  expect(faultsOf(hashing(40), 20_000)).toEqual([])
  expect(faultsOf(hashing(60), 20_000)).toEqual(['hang'])
})

test('time may be so much a byte and no more, and slow once is not slow', () => {
  let clock = 0
  let calls = 0
  const taking = (first: number, later: number) => () => {
    clock += calls++ === 0 ? first : later
    return PASSED
  }
  expect(faultsOf(taking(1000, 1000), 100_000, () => clock)).toEqual([])
  expect(faultsOf(taking(3000, 3000), 100_000, () => clock)).toEqual(['hang'])
  calls = 0
  expect(faultsOf(taking(3000, 1), 100_000, () => clock)).toEqual([])
})

test('memory may be so much a byte and no more', () => {
  const held: Buffer[] = []
  const holding = (size: number) => () => {
    held.push(Buffer.alloc(size))
    return PASSED
  }
  expect(faultsOf(holding(20 << 20), 40_000)).toEqual([])
  expect(faultsOf(holding(160 << 20), 40_000)).toEqual(['memory'])
  expect(held.length).toBe(2)
})
