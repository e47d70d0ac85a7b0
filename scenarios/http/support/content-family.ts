import { isSuccess, presentReply } from '../../../conformance/attempt/reply.ts'
import type { RawAnswer } from '../../../conformance/client/raw-client.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import { CARRIERS, type Carried, isTurnedAway, TURNED_AWAY } from './carried.ts'
import { CONTENTS, type ContentRow } from './contents.ts'
import { cellOf, cellsOf, type HttpRole, isAsked } from './http-table.ts'
import { HTTP_ROLES, VERSIONS } from './served-family.ts'

const REFUSED = 'HTTP-BODY-REFUSED'
const ANSWERED = 'HTTP-BODY-ANSWERED'

/** Cases 108 and 119: unusual bodies and content headers. */
export function contentFamily(place: string): readonly Scenario[] {
  return HTTP_ROLES.map((role) => ({
    id: `${place}.${role}`,
    title: `The ${role} accepts or rejects an unusual body, without a server error`,
    requirements: [REFUSED, ANSWERED],
    role,
    ...VERSIONS[role],
    variantOf: `http.served.${role}`,
    matrix: { name: 'http', cells: cellsOf(role, 'contents', CONTENTS) },
    async run(context) {
      for (const row of CONTENTS.filter(isAsked(context, role, 'contents')))
        await checkRow(context, role, row)
    },
  }))
}

async function checkRow(context: Context, role: HttpRole, row: ContentRow): Promise<void> {
  const { check, observe, verifier, version } = context
  const carried = CARRIERS[role](context)
  const body = row.body(JSON.stringify(carried.body)) // the defect
  const { first } = await sendBody(verifier.client, carried, row.headers ?? [JSON_TYPE], body)
  const cell = cellOf(role, 'contents', row.id, version)
  if (row.ends === 'refused') {
    check(REFUSED, row.says, cell)
      .of(first)
      .matches(...TURNED_AWAY)
  } else {
    check(ANSWERED, row.says, cell)
      .of(first)
      .matches(`a success, or ${TURNED_AWAY[0]}`, (seen) => isSuccess(seen) || isTurnedAway(seen))
    observe(`contents.${row.id}`, row.says, presentReply(first))
  }
  check(row.ends === 'refused' ? REFUSED : ANSWERED, `whether ${row.says} created something`, cell)
    .of(await carried.isThere(first))
    .is(isSuccess(first))
}

const JSON_TYPE = 'content-type: application/json'

/** Sends a body of arbitrary bytes in place of the usual one. */
export function sendBody(
  client: Context['verifier']['client'],
  carried: Omit<Carried, 'isThere'>,
  headers: readonly string[],
  body: string | Uint8Array,
): Promise<RawAnswer> {
  const head = [
    `POST ${carried.path} HTTP/1.1`,
    'host: assay',
    'connection: close',
    ...headers,
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  return client.raw({ ...carried, bytes: [`${head.join('\r\n')}\r\n\r\n`, body] })
}
