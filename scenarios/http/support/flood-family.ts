import { gzipSync } from 'node:zlib'
import { isSuccess, type Reply } from '../../../conformance/attempt/reply.ts'
import type { RawAnswer } from '../../../conformance/client/raw-client.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import { CARRIERS, type Carried } from './carried.ts'
import { sendBody } from './content-family.ts'
import { HTTP_ROLES, VERSIONS } from './served-family.ts'

const MEBIBYTE = 1024 * 1024

/** MiB of a body, more than a widely deployed verifier accepts. */
const FLOOD = 128

/** MiB to which a body of blanks inflates, more than ten times any message of the interface. */
const INFLATED = 64

type Client = Context['verifier']['client']

interface Flood {
  readonly id: string
  readonly title: string
  readonly requirement: string
  readonly send: (client: Client, carried: Carried) => Promise<RawAnswer>
}

const FLOODS: readonly Flood[] = [
  {
    id: 'body',
    title: `does not read a body of ${FLOOD} MiB to its end`,
    requirement: 'HTTP-BODY-BOUNDED',
    send: sendFlood,
  },
  {
    id: 'inflated-body',
    title: `does not inflate a small body to ${INFLATED} MiB (CVE-2022-23951)`,
    requirement: 'HTTP-BODY-NOT-INFLATED',
    send: sendBomb,
  },
]

/** Bodies that exhaust memory: refused without effect, and the component still answers. */
export function floodFamily(place: string): readonly Scenario[] {
  return HTTP_ROLES.flatMap((role) =>
    FLOODS.map(({ id, title, requirement, send }) => ({
      id: `${place}.${id}.${role}`,
      title: `The ${role} ${title}`,
      requirements: [requirement],
      role,
      ...VERSIONS[role],
      variantOf: `http.served.${role}`,
      async run(context: Context) {
        const { check, verifier } = context
        const carried = CARRIERS[role](context)
        const { first } = await send(verifier.client, carried) // the defect
        check(requirement, 'the body')
          .of(first)
          .matches('a refusal with a 4xx status, or an end without an answer', isRefused)
        check(requirement, 'whether it created something')
          .of(await carried.isThere(first))
          .is(false)
      },
    })),
  )
}

function isRefused(reply: Reply): boolean {
  if (reply.status === undefined) return reply.endedInTls
  return !isSuccess(reply) && reply.status < 500
}

/** Sends the valid request after at least 100 MiB of blanks, with a matching content length. */
function sendFlood(client: Client, { url, path, credentials, body }: Carried): Promise<RawAnswer> {
  const text = JSON.stringify(body)
  const blanks = Buffer.alloc(MEBIBYTE, ' ')
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: assay',
    'connection: close',
    'content-type: application/json',
    `content-length: ${FLOOD * MEBIBYTE + Buffer.byteLength(text)}`,
  ]
  const bytes = [`${head.join('\r\n')}\r\n\r\n`, ...Array<Buffer>(FLOOD).fill(blanks), text]
  return client.raw({ url, credentials, bytes })
}

function sendBomb(client: Client, carried: Carried): Promise<RawAnswer> {
  const blanks = Buffer.alloc(INFLATED * MEBIBYTE, ' ')
  const body = gzipSync(Buffer.concat([blanks, Buffer.from(JSON.stringify(carried.body))]))
  const headers = ['content-type: application/json', 'content-encoding: gzip']
  return sendBody(client, carried, headers, body)
}
