import { isSuccess } from '../../../conformance/attempt/reply.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import { CARRIERS } from './carried.ts'
import type { HttpRole } from './http-table.ts'
import { PLAIN_REQUEST, sendLines } from './raw-request.ts'

/** Versions in which a role has a resource to create: the verifier's policies end with 2.5. */
export const VERSIONS = {
  registrar: { since: '2.5' },
  verifier: { since: '2.5', until: '2.5' },
} as const satisfies Record<HttpRole, object>

export const HTTP_ROLES = ['registrar', 'verifier'] as const

const GET = 'GET /version HTTP/1.1\r\nhost: assay\r\n\r\n'

const SERVED = 'HTTP-PLAIN-SERVED'

/** The passing twin of all unusual requests: the same request in its ordinary form, byte by byte. */
export function servedFamily(place: string): readonly Scenario[] {
  return HTTP_ROLES.map((role) => ({
    id: `${place}.${role}`,
    title: `The ${role} serves an ordinary request written byte by byte`,
    requirements: [SERVED],
    role,
    ...VERSIONS[role],
    run: (context) => checkServed(context, role),
  }))
}

async function checkServed(context: Context, role: HttpRole): Promise<void> {
  const { check, verifier } = context
  const carried = CARRIERS[role](context)
  const { first, replies } = await sendLines(verifier.client, carried, PLAIN_REQUEST)
  check(SERVED, 'a POST with its length').of(first).matches('a success', isSuccess)
  check(SERVED, 'number of answers').of(replies.length).is(1)
  check(SERVED, 'whether the resource exists')
    .of(await carried.isThere(first))
    .is(true)
  const pair = await verifier.client.raw({ ...carried, bytes: [GET + GET], awaits: 2 })
  check(SERVED, 'number of answers to two requests in one segment').of(pair.replies.length).is(2)
}
