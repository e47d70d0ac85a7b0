import { expect, test } from 'vitest'
import { ignoreLateEnd, NotApplicable, PrerequisiteFailed } from './endings.ts'

test.each([new PrerequisiteFailed('no blob'), new NotApplicable('no TLS 1.2')])(
  'what ends a step of a scenario that has ended already does not end the run: %s',
  (end) => {
    expect(() => ignoreLateEnd(end)).not.toThrow()
  },
)

test('any other error does', () => {
  expect(() => ignoreLateEnd(new TypeError('x is undefined'))).toThrow('x is undefined')
})
