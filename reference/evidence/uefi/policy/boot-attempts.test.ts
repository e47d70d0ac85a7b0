import { describe, expect, test } from 'vitest'
import type { Attempt } from '../../testing/boot-attempts/attempt.ts'
import { BOOT_ATTEMPTS } from '../../testing/boot-attempts.ts'
import { type Event, found, LOADED_MORE, LOGS, load } from '../../testing/forged-boot.ts'
import { absent, WHY_SKIPPED } from '../../testing/real-data.ts'

const FILES = [...LOGS, ...LOADED_MORE]

/** What is found in a log after an attempt; undefined where the log has nothing that it could change. */
function tried(file: string, { edit }: Attempt): readonly unknown[] | undefined {
  const log = load(file)
  try {
    return isSame(log.events, edit(log.events)) ? undefined : found(log, edit)
  } catch (error) {
    if (error instanceof Error && error.message === 'no such event') return undefined
    throw error
  }
}

function isSame(events: readonly Event[], others: readonly Event[]): boolean {
  const sizes = events.length === others.length
  return (
    sizes &&
    events.every((one, at) => one === others[at] || textOfEvent(one) === textOfEvent(others[at]))
  )
}

function textOfEvent(one: Event | undefined): string {
  const digest = Buffer.from(one?.digests.get('sha256') ?? []).toString('hex')
  const data = Buffer.from(one?.raw ?? []).toString('latin1')
  return `${one?.pcr} ${one?.untrustedType} ${digest} ${data}`
}

describe.skipIf(absent)(`attempts to pass for the boot of a real machine${WHY_SKIPPED}`, () => {
  test.each(FILES)('%s passes as it is', (file) => {
    expect(found(load(file), (events) => events)).toEqual([])
  })

  const count = new Map<string, number>()

  test.each(BOOT_ATTEMPTS.map((one) => [one.kind, one.what, one.check, one] as const))(
    '%s %s is refused by %s',
    (kind, _what, check, attempt) => {
      const outcomes = FILES.flatMap((file) => {
        const seen = tried(file, attempt)
        return seen ? [[file, seen] as const] : []
      })
      count.set(kind, (count.get(kind) ?? 0) + outcomes.length)
      expect(outcomes.length).toBeGreaterThan(0)
      expect(outcomes.filter(([, seen]) => !seen.includes(check))).toEqual([])
    },
  )

  test('are more than a thousand, listed by kind', () => {
    console.info(
      [...count].map(([kind, times]) => `${String(times).padStart(5)}  ${kind}`).join('\n'),
    )
    expect([...count.values()].reduce((sum, times) => sum + times, 0)).toBeGreaterThan(1000)
  })
})
