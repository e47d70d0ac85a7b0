import type { Context, Scenario } from '../../../conformance/scenario.ts'
import { CARRIERS, isTurnedAway } from './carried.ts'
import type { HttpRole } from './http-table.ts'
import { PLAIN_REQUEST, rawLines } from './raw-request.ts'
import { HTTP_ROLES, VERSIONS } from './served-family.ts'

const REQUIREMENTS: Readonly<Record<HttpRole, string>> = {
  registrar: 'REG-JSON',
  verifier: 'VER-JSON',
}

/** A request of an administrator or an agent to the port for TLS, without TLS. */
export function cleartextFamily(place: string): readonly Scenario[] {
  return HTTP_ROLES.map((role) => ({
    id: `${place}.${role}`,
    title: `The ${role} serves no request without TLS on its port for TLS`,
    requirements: [REQUIREMENTS[role]],
    role,
    ...VERSIONS[role],
    variantOf: `http.served.${role}`,
    run: (context) => sendCleartext(context, role),
  }))
}

async function sendCleartext(context: Context, role: HttpRole): Promise<void> {
  const { check, verifier } = context
  const carried = CARRIERS[role](context)
  const { url, credentials, body } = carried
  const bytes = [rawLines(PLAIN_REQUEST, carried, JSON.stringify(body))]
  const { first } = await verifier.client.raw({ url, credentials, bytes, plain: true }) // the defect
  check(REQUIREMENTS[role], 'a request without TLS')
    .of(first)
    .matches(
      'a refusal, or no answer',
      (reply) => reply.status === undefined || isTurnedAway(reply),
    )
  check(REQUIREMENTS[role], 'whether it created something')
    .of(await carried.isThere(first))
    .is(false)
}
