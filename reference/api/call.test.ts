import { expect, test } from 'vitest'
import { UnreadBody } from './call.ts'

test('a body that is given to another thread takes the bytes of no other one with it', () => {
  const [whole, shared] = [Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2, 3)]
  expect(new UnreadBody(whole).bytes).toBe(whole)
  const { bytes } = new UnreadBody(shared.subarray(1))
  expect(bytes).toEqual(Uint8Array.of(2, 3))
  expect(bytes.buffer).not.toBe(shared.buffer)
})
