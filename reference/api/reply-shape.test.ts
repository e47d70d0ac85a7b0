import { expect, test } from 'vitest'
import { present, type ReplyShape } from './reply-shape.ts'

const SHAPE: ReplyShape<{ readonly size: number }> = [
  { name: 'id', of: () => 'a' },
  { name: 'big', until: '2.4', of: ({ size }) => (size > 1 ? 1 : 0) },
  { name: 'big', since: '2.5', of: ({ size }) => size > 1 },
  { name: 'size', since: '2.3', of: ({ size }) => size },
]

test.each([
  ['1.0', { id: 'a', big: 1 }],
  ['2.3', { id: 'a', big: 1, size: 2 }],
  ['2.4', { id: 'a', big: 1, size: 2 }],
  ['2.5', { id: 'a', big: true, size: 2 }],
  ['3.0', { id: 'a', big: true, size: 2 }],
] as const)('in %s a reply has the members of that version', (version, reply) => {
  expect(present(SHAPE, { size: 2 }, version)).toEqual(reply)
})
