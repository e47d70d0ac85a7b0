import { isSuccess, presentReply, type Reply } from '../../../conformance/attempt/reply.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import { CARRIERS, isTurnedAway, TURNED_AWAY } from './carried.ts'
import {
  cellOf,
  cellsOf,
  type FramingRow,
  HTTP_TABLE,
  type HttpRole,
  isAsked,
} from './http-table.ts'
import { sendLines } from './raw-request.ts'
import { HTTP_ROLES, VERSIONS } from './served-family.ts'

const ONE_REPLY = 'HTTP-ONE-REPLY'
const REFUSED = 'HTTP-MALFORMED-REFUSED'
const ANSWERED = 'HTTP-UNUSUAL-ANSWERED'

/** Case 115: requests with ambiguous or invalid framing. */
export function framingFamily(place: string): readonly Scenario[] {
  return HTTP_ROLES.map((role) => ({
    id: `${place}.${role}`,
    title: `The ${role} finds the end of a request unambiguously`,
    requirements: [ONE_REPLY, REFUSED, ANSWERED],
    role,
    ...VERSIONS[role],
    variantOf: `http.served.${role}`,
    matrix: { name: 'http', cells: cellsOf(role, 'framing', HTTP_TABLE.framing) },
    async run(context) {
      for (const row of HTTP_TABLE.framing.filter(isAsked(context, role, 'framing')))
        await checkRow(context, role, row)
    },
  }))
}

async function checkRow(context: Context, role: HttpRole, row: FramingRow): Promise<void> {
  const { check, observe, verifier, version } = context
  const carried = CARRIERS[role](context)
  const { first, replies } = await sendLines(verifier.client, carried, row.request) // the defect
  const cell = cellOf(role, 'framing', row.id, version)
  check(ONE_REPLY, `answers to ${row.says}`, cell).of(replies.length).isOneOf([0, 1])
  if (row.ends === 'refused') {
    check(REFUSED, row.says, cell)
      .of(first)
      .matches(...TURNED_AWAY)
    check(REFUSED, `whether ${row.says} created something`, cell)
      .of(await carried.isThere(first))
      .is(false)
    return
  }
  const [expected, isMet] = row.ends === 'coded' ? TAKEN_OR_411 : TAKEN_OR_NOT
  check(ANSWERED, row.says, cell).of(first).matches(expected, isMet)
  check(ANSWERED, `whether ${row.says} created something`, cell)
    .of(await carried.isThere(first))
    .is(isSuccess(first))
  observe(`framing.${row.id}`, row.says, presentReply(first))
}

const TAKEN_OR_NOT = [
  `a success, or ${TURNED_AWAY[0]}`,
  (reply: Reply) => isSuccess(reply) || isTurnedAway(reply),
] as const

/** RFC 9112: a recipient parses chunks (7.1), and a server may want a length (6.3). */
export const TAKEN_OR_411 = [
  'a success, or 411',
  (reply: Reply) => isSuccess(reply) || reply.status === 411,
] as const
