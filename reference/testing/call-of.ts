import type { Call } from '../api/call.ts'

/** A call of 2.5 as the server would make it: parameters, and a body that came as JSON. */
export function callOf(params: Readonly<Record<string, string>>, body?: unknown): Call {
  const received = body === undefined ? undefined : JSON.parse(JSON.stringify(body))
  return { version: '2.5', params, body: received, identity: { type: 'anonymous' } }
}
