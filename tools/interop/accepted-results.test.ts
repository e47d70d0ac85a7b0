import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../conformance/target/testing/test-support.ts'
import { acceptResults, expectAccepted, loadAccepted } from './accepted-results.ts'

const ACCEPTED = { 'a@3.0': 'passed', 'b@3.0': 'failed', 'c@3.0': 'excused' }

test('results as accepted agree', () => {
  expect(() => expectAccepted(ACCEPTED, { ...ACCEPTED }, true)).not.toThrow()
})

test.each([
  ['that failed', { 'a@3.0': 'failed' }, 'a@3.0 passed, received a@3.0 failed'],
  ['that passed unexpectedly', { 'b@3.0': 'passed' }, 'b@3.0 failed, received b@3.0 passed'],
  ['that is new', { 'd@3.0': 'passed' }, 'd@3.0 absent, received d@3.0 passed'],
  [
    'of a server that was restarted',
    { 'server one': 'restarted' },
    'received server one restarted',
  ],
])('a result %s differs', (_, changed, says) => {
  expect(() => expectAccepted(ACCEPTED, { ...ACCEPTED, ...changed }, true)).toThrow(says)
  expect(() => expectAccepted(ACCEPTED, changed, false)).toThrow(says)
})

test('a scenario that did not run differs only if the whole suite ran', () => {
  const some = { 'a@3.0': 'passed' }
  expect(() => expectAccepted(ACCEPTED, some, true)).toThrow('c@3.0 absent')
  expect(() => expectAccepted(ACCEPTED, some, false)).not.toThrow()
})

test('accepting a part keeps what was accepted of the rest, and accepting the whole forgets it', () => {
  const file = join(temporaryDirectory(), 'accepted.json')
  expect(loadAccepted(file)).toBeUndefined()
  acceptResults(file, { ...ACCEPTED, 'server one': 'restarted' }, true)
  acceptResults(file, ACCEPTED, true)
  acceptResults(file, { 'b@3.0': 'passed' }, false)
  expect(loadAccepted(file)).toEqual({ ...ACCEPTED, 'b@3.0': 'passed' })
})
