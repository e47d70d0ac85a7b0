import picocolors from 'picocolors'
import { expect, test } from 'vitest'
import { AS_ADMIN, exchange, VERIFIER } from '../testing/sample-transcript.ts'
import { presentTranscript } from './present-transcript.ts'

const recorded = exchange({
  ...{ at_ms: 1, ms: 2, speaker: 'admin', tls: AS_ADMIN, send: `GET ${VERIFIER}/v2.5/agents/` },
  ...{ status: 200, reply: {} },
})
const { tls: _, ...withoutFacts } = recorded
const request = { ...recorded.request, url: 'http://127.0.0.1:8881/version' }

test.each([
  ['the facts of a connection', recorded, 'TLSv1.3, full handshake'],
  ['TLS without facts', withoutFacts, 'TLS facts not recorded'],
  ['no TLS', { ...withoutFacts, request }, 'no TLS'],
] as const)('an exchange shows %s', (_what, entry, words) => {
  const kept = { id: 'a.b', version: '2.5', transcript: [entry] }
  const text = presentTranscript(kept, undefined, picocolors.createColors(false))
  expect(text).toContain(`admin; ${words}`)
})
