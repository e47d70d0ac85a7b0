import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isSuccess } from '../../../conformance/attempt/reply.ts'
import { settled } from '../../../conformance/client/idle-peers.ts'
import { halfClientHello } from '../../../conformance/client/tls/half-client-hello.ts'
import { outside } from '../../../conformance/recording/outside.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import { CARRIERS, type Carried } from './carried.ts'
import { PLAIN_REQUEST, rawLines, sendLines } from './raw-request.ts'
import { HTTP_ROLES, VERSIONS } from './served-family.ts'

const SERVED = 'HTTP-OTHERS-SERVED'
const NOTHING = 'HTTP-HALF-REQUEST-NOTHING'

const IDLE = 50
const HALF_HELLOS = 10
/** Requests at once: a connection of another scenario that ends meanwhile makes room for one. */
const OTHERS = 5

/** Case 115 and CVE-2023-38200: connections held open in each possible state. */
export function othersServedFamily(place: string): readonly Scenario[] {
  return HTTP_ROLES.map((role) => ({
    id: `${place}.${role}`,
    title: `The ${role} serves other clients while connections are held open (CVE-2023-38200)`,
    requirements: [SERVED, NOTHING],
    role,
    ...VERSIONS[role],
    variantOf: `http.served.${role}`,
    async run(context) {
      const { check, verifier, note } = context
      const half = CARRIERS[role](context)
      const sockets = await hold(context, half) // the defect
      const open = sockets.filter(({ readyState }) => readyState === 'open').length
      note(`${open} of ${sockets.length} connections are held open, in every state of a request`)
      const others = await Promise.all(
        repeat(OTHERS, () => sendLines(verifier.client, CARRIERS[role](context), PLAIN_REQUEST)),
      )
      for (const [at, { first }] of others.entries())
        check(SERVED, `request ${at + 1} of other clients at once`)
          .of(first)
          .matches('a success', isSuccess)
      for (const socket of sockets) socket.destroy()
      const next = await sendLines(verifier.client, CARRIERS[role](context), PLAIN_REQUEST)
      check(SERVED, 'the request once they are closed')
        .of(next.first)
        .matches('a success', isSuccess)
      check(NOTHING, 'whether the partially sent request created something')
        .of(await half.isThere())
        .is(false)
    },
  }))
}

async function hold(context: Context, half: Carried): Promise<readonly Socket[]> {
  const secureContext = context.verifier.client.contexts.of(half.credentials)
  const { hostname: host, port } = new URL(half.url)
  const place = { host, port: Number(port || 443) }
  const plain = repeat(HALF_HELLOS + 1, () => outside(() => connectTcp(place)))
  const secure = repeat(IDLE, () => outside(() => connectTls({ ...place, secureContext })))
  const sockets = [...plain, ...secure]
  context.cleanUp(async () => {
    for (const socket of sockets) socket.destroy()
  })
  for (const socket of sockets) socket.on('error', () => undefined)
  await Promise.all(plain.map((socket) => settled(socket, 'connect')))
  await Promise.all(secure.map((socket) => settled(socket, 'secureConnect')))
  for (const socket of plain.slice(1)) socket.write(halfClientHello())
  for (const [at, text] of halves(half).entries()) secure[at]?.write(text)
  return sockets
}

/** Requests that stop within the request line, a header, the body, or a chunk; the others send nothing. */
function halves(carried: Carried): readonly string[] {
  const body = JSON.stringify(carried.body)
  const whole = rawLines(PLAIN_REQUEST, carried, body)
  const chunked = PLAIN_REQUEST.map((line) =>
    line.startsWith('content-length') ? 'transfer-encoding: chunked' : line,
  )
  const cuts = [4, whole.indexOf('\r\n') + 8, whole.length - 1, whole.length - body.length]
  const opened = rawLines([...chunked.slice(0, -1), '{chunks}'], carried, body)
  return [...cuts.map((cut) => whole.slice(0, cut)), opened.slice(0, -7)]
}

function repeat<T>(count: number, make: () => T): readonly T[] {
  return Array.from({ length: count }, make)
}
