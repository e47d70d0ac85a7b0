import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NOON, settableClock } from '../../dev/testing/settable-clock.ts'
import { temporaryDirectory } from '../../dev/testing/temporary-directory.ts'
import { bootTimes } from './boot-record.ts'

/** A TPM that has had its power for so many milliseconds. */
const tpm = (resetCount: number, uptime = 1000) => ({
  boot: async () => ({ uptime: BigInt(uptime), resetCount }),
})
const iso = (milliseconds: number) => new Date(milliseconds).toISOString()

test('one boot has one time, after any clock change and any number of restarts', async () => {
  const [file, clock] = [join(temporaryDirectory(), 'boot.json'), settableClock()]
  expect(await bootTimes(tpm(1), clock, file)()).toBe(iso(NOON - 1000))
  clock.pass(3600)
  expect(await bootTimes(tpm(1), clock, file)()).toBe(iso(NOON - 1000))
})

test.each([
  [3600, NOON + 3_599_000],
  [-3600, NOON - 999],
])('another boot comes after, also %i seconds later by the clock', async (seconds, booted) => {
  const [file, clock] = [join(temporaryDirectory(), 'boot.json'), settableClock()]
  await bootTimes(tpm(1), clock, file)()
  clock.pass(seconds)
  expect(await bootTimes(tpm(2), clock, file)()).toBe(iso(booted))
})

test.each(['', '{', '{"reset_count":1,"boot_time":"yesterday"}'])(
  'a record with %o is replaced',
  async (text) => {
    const file = join(temporaryDirectory(), 'boot.json')
    writeFileSync(file, text)
    expect(await bootTimes(tpm(1), settableClock(), file)()).toBe(iso(NOON - 1000))
  },
)
