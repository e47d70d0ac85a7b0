import type { Call } from '../api/call.ts'

/** A call as the server would make it, with only what the test is about. */
export function callOf(params: Readonly<Record<string, string>>, body?: unknown): Call {
  return { version: undefined, params, body, identity: { type: 'anonymous' } }
}
