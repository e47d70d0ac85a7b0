import { isSuccess } from '../../../conformance/attempt/reply.ts'
import { withAuthorization } from '../../../conformance/client/identity.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import { TARGETS } from './carried.ts'
import type { HttpRole } from './http-table.ts'
import { HTTP_ROLES, VERSIONS } from './served-family.ts'

const SEEN = 'HTTP-AUTHORIZATION-SEEN'

/**
 * Up to and beyond the number of headers that parsers keep; four bytes each, so that all fit where two long headers
 * would.
 */
const COUNTS = [50, 150, 500, 1100, 2100, 3500]

/** A parser that drops headers would drop Authorization, and rule 1 would not hold. */
export function manyHeadersFamily(place: string): readonly Scenario[] {
  return HTTP_ROLES.map((role) => ({
    id: `${place}.${role}`,
    title: `The ${role} reads an Authorization header after many others, and never falls back to the certificate`,
    requirements: [SEEN],
    role,
    ...VERSIONS[role],
    variantOf: `http.served.${role}`,
    run: (context) => checkSeen(context, role),
  }))
}

async function checkSeen(context: Context, role: HttpRole): Promise<void> {
  const { check, verifier, random } = context
  const target = await TARGETS[role](context)
  const token = `Bearer ${random.uuid()}.${Buffer.from(random.bytes(32)).toString('base64url')}`
  const credentials = withAuthorization(verifier.admin, token)
  for (const count of COUNTS) {
    const others = Array<string>(count).fill('a:')
    const head = [`DELETE ${target.path} HTTP/1.1`, 'host: assay', 'connection: close']
    const lines = [...head, ...others, `authorization: ${token}`, '', ''] // the defect
    const bytes = [lines.join('\r\n')]
    const { first } = await verifier.client.raw({ url: target.url, credentials, bytes })
    check(SEEN, `DELETE with an administrator's certificate and a bad token after ${count} headers`)
      .of(first)
      .matches('no success', (seen) => !isSuccess(seen))
  }
  check(SEEN, 'whether it still exists')
    .of(await target.isThere())
    .is(true)
}
