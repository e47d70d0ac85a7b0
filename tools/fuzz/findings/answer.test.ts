import { expect, test } from 'vitest'
import type { Reply } from '../../../conformance/attempt/reply.ts'
import { answerOf, validOf } from './answer.ts'

function reply(
  status: number | undefined,
  results: unknown = {},
  more: Partial<Reply> = {},
): Reply {
  const body = { results }
  const rest = { exchange: 0, headers: {}, endedInTls: false, resumed: false, failure: undefined }
  return { ...rest, status, body, text: JSON.stringify(body), ...more }
}

test.each<[string, Reply, string]>([
  ['valid true', reply(200, { valid: true }), 'passed: HTTP 200'],
  ['valid 1', reply(200, { valid: 1 }), 'passed: HTTP 200'],
  [
    'valid false',
    reply(200, { valid: false, failures: [{ type: 'b' }, { type: 'a' }] }),
    'failed: HTTP 200, a, b',
  ],
  ['valid 0', reply(200, { valid: 0 }), 'failed: HTTP 200'],
  ['valid "yes"', reply(200, { valid: 'yes' }), 'unreadable: HTTP 200'],
  ['a refusal', reply(400), 'refused: HTTP 400'],
  ['a redirection', reply(302), 'unreadable: HTTP 302'],
  ['500', reply(500), 'server error: HTTP 500'],
  ['503', reply(503), 'server error: HTTP 503'],
  ['503 with Retry-After', reply(503, {}, { headers: { 'retry-after': '1' } }), 'busy: HTTP 503'],
  ['429', reply(429), 'busy: HTTP 429'],
  [
    'silence',
    reply(undefined, {}, { failure: 'no answer in time' }),
    'no answer: no HTTP answer (no answer in time)',
  ],
  [
    'a closed connection',
    reply(undefined, {}, { failure: 'ECONNRESET' }),
    'cut off: no HTTP answer (ECONNRESET)',
  ],
])('%s is put into its class', (_, seen, line) => {
  expect(answerOf(seen, validOf).line).toBe(line)
})
