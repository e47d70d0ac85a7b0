import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBase64, toBase64 } from './base64.ts'

test('every byte string survives the way to text and back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      expect(fromBase64(toBase64(bytes))).toEqual(bytes)
    }),
  )
})

test('a text that decodes is the only text for its bytes', () => {
  const text = fc.string({ unit: fc.constantFrom('A', 'Q', '/', '=', '+', 'B'), maxLength: 12 })
  fc.assert(
    fc.property(text, (candidate) => {
      let bytes: Uint8Array
      try {
        bytes = fromBase64(candidate)
      } catch {
        return
      }
      expect(toBase64(bytes)).toBe(candidate)
    }),
  )
})

test.each([
  ['the URL alphabet', 'ab-_', 'standard base64 alphabet'],
  ['a newline', 'AAAA\nAAA', 'standard base64 alphabet'],
  ['missing padding', 'AAA', 'padded'],
  ['padding in the middle', 'AA==AAAA', 'standard base64 alphabet'],
  ['padding without digits', '====', 'standard base64 alphabet'],
  ['three signs of padding', 'A===', 'standard base64 alphabet'],
  ['bits after the last byte', 'AB==', 'must be zero'],
])('%s is refused', (_, text, problem) => {
  expect(() => fromBase64(text, 'quote.message')).toThrow(problem)
})

test('the twin with zero bits after the last byte is accepted', () => {
  expect(fromBase64('AA==')).toEqual(Uint8Array.of(0))
})

test('the error names the field and the character', () => {
  expect(() => fromBase64('AA?A', 'quote.message')).toThrow(/^quote\.message at byte 2: /)
})
