import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KnownValues } from './known-values.ts'

function known(...values: readonly string[]): KnownValues {
  const all = new KnownValues()
  for (const value of values) all.add(value, `<${value.length}>`)
  return all
}

/** Other values, so that the search has more than one. */
const MANY = Array.from({ length: 100 }, (_, at) => `value number ${at} of many`)

test.each([[], MANY])('a value is replaced at every position, with %# others', (...others) => {
  const values = known('a secret of it', ...others)
  expect(values.replaceIn('a secret of it, and a secret of itself')).toBe('<14>, and <14>self')
  expect(values.replaceIn('xa secret of it')).toBe('x<14>')
  expect(values.replaceIn('a secret of')).toBe('a secret of')
})

test('of two values the longer is replaced', () => {
  expect(known(...MANY, 'id.secret-of-it', 'secret-of-it').replaceIn('id.secret-of-it')).toBe(
    '<15>',
  )
})

test('a value shorter than the search prefix is replaced too', () => {
  expect(known(...MANY, '/run').replaceIn('at /run')).toBe('at <4>')
  expect(known(...MANY, '/run').replaceIn('/run/a/b/c')).toBe('<4>/a/b/c')
})

test('without values no text is replaced', () => {
  expect(known().replaceIn('text')).toBe('text')
})

test('every value is found in any context', () => {
  const word = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), word, word, (secrets, before, after) => {
      const values = new KnownValues()
      for (const secret of secrets) values.add(secret, '')
      for (const secret of secrets) {
        const clean = values.replaceIn(before + secret + after)
        expect(clean.length).toBeLessThanOrEqual(before.length + after.length)
      }
    }),
  )
})
