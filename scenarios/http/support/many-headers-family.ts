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

/** The same header in other spellings, empty, and twice. */
const FORMS: readonly (readonly [says: string, lines: (token: string) => readonly string[]])[] = [
  ['in capital letters', (token) => [`AUTHORIZATION: ${token}`]],
  ['in capital and small letters', (token) => [`aUTHORIZATIOn: ${token}`]],
  ['after a tab and without a blank', (token) => [`authorization:\t${token}`]],
  ['without a value', () => ['authorization:']],
  ['with blanks as its value', () => ['authorization:   ']],
  ['after another without a value', (token) => ['authorization:', `authorization: ${token}`]],
  ['before another without a value', (token) => [`authorization: ${token}`, 'authorization:']],
]

/** A parser that drops headers would drop Authorization, and rule 1 would not hold. */
export function manyHeadersFamily(place: string): readonly Scenario[] {
  return HTTP_ROLES.map((role) => ({
    id: `${place}.${role}`,
    title: `The ${role} reads an Authorization header after many others and in any form, and never falls back to the certificate`,
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
  let served = false
  const send = async (says: string, headers: readonly string[]): Promise<void> => {
    const head = [`DELETE ${target.path} HTTP/1.1`, 'host: assay', 'connection: close']
    const bytes = [[...head, ...headers, '', ''].join('\r\n')] // the defect
    const { first } = await verifier.client.raw({ url: target.url, credentials, bytes })
    const isRejected = check(
      SEEN,
      `DELETE with an administrator's certificate and a bad token ${says}`,
    )
      .of(first)
      .matches('no success', (seen) => !isSuccess(seen))
    served ||= !isRejected
  }
  for (const count of COUNTS)
    await send(`after ${count} headers`, [
      ...Array<string>(count).fill('a:'),
      `authorization: ${token}`,
    ])
  for (const [says, lines] of FORMS) await send(`in a header ${says}`, lines(token))
  if (served) return
  check(SEEN, 'whether it still exists')
    .of(await target.isThere())
    .is(true)
}
