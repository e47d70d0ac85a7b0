import type { Call } from '../../api/call.ts'

/** A call of 2.5 as the server would make it: parameters, a body that came as JSON, and a query. */
export function callOf(
  params: Readonly<Record<string, string>>,
  body?: unknown,
  query: Call['query'] = {},
): Call {
  const received = body === undefined ? undefined : JSON.parse(JSON.stringify(body))
  return { version: '2.5', params, query, body: received, identity: { type: 'anonymous' } }
}
