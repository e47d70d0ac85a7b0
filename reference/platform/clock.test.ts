import { expect, test } from 'vitest'
import { timestamp } from './clock.ts'

test('a timestamp is ISO 8601 in UTC with microseconds', () => {
  expect(timestamp(Date.UTC(2026, 0, 2, 3, 4, 5, 6))).toBe('2026-01-02T03:04:05.006000Z')
})
