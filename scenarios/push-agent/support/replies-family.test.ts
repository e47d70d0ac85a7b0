import { expect, test } from 'vitest'
import type { PushOperation } from '../../../conformance/peers/push-timeline.ts'
import { endsPhase, loadReplies, REPLY_GROUPS } from './load-replies.ts'
import { againAfter } from './replies-family.ts'

test.each(REPLY_GROUPS)('answers of %s that may end a phase come behind all others', (group) => {
  const ends = loadReplies()[group].map(endsPhase)
  expect(ends).toEqual(ends.toSorted((one, other) => Number(one) - Number(other)))
})

const request = (step: string, url: string, peer = 'registrar') =>
  ({ step, peer, request: { url } }) as PushOperation

test('the same step in another version is not taken for another try', () => {
  const refused = request('register', '/v2.5/agents/a')
  const older = request('register', '/v2.4/agents/a')
  const again = request('register', '/v2.5/agents/a')
  expect(againAfter(refused, [older, again])).toBe(again)
  expect(againAfter(refused, [older, request('other', '/x', 'elsewhere')])).toBe(undefined)
  const version = request('version', '/version')
  expect(againAfter(refused, [version, again])).toBe(version)
})
