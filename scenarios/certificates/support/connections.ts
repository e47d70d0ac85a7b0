import { isRefusal, type Reply } from '../../../conformance/attempt/reply.ts'
import type { TlsChoice } from '../../../conformance/client/https-client.ts'
import { ANONYMOUS, type Credentials } from '../../../conformance/client/identity.ts'
import { takeSession } from '../../../conformance/client/tls/resume-tls.ts'
import type { TlsProtocol } from '../../../conformance/client/tls/secure-contexts.ts'
import type { Context } from '../../../conformance/scenario.ts'
import type { ComponentName } from './questions.ts'

/** Every kind of connection over which a certificate is presented; the words are part of the cell ids. */
export const CONNECTIONS = [
  { protocol: 'TLSv1.2', manner: 'fresh', words: 'tls1.2 fresh' },
  { protocol: 'TLSv1.3', manner: 'fresh', words: 'tls1.3 fresh' },
  { protocol: 'TLSv1.2', manner: 'resumed', words: 'tls1.2 resumed' },
  { protocol: 'TLSv1.3', manner: 'resumed', words: 'tls1.3 resumed' },
] as const

export type Connection = (typeof CONNECTIONS)[number]

/** Returns the connections that the component supports; the document requires no TLS version. */
export async function supportedConnections(
  context: Context,
  component: ComponentName,
): Promise<readonly Connection[]> {
  const supported = new Set<TlsProtocol>()
  for (const protocol of ['TLSv1.2', 'TLSv1.3'] as const) {
    const reply = await context[component].get('/version', { as: ANONYMOUS, tls: { protocol } })
    if (reply.status === undefined) context.note(`the ${component} does not support ${protocol}`)
    else supported.add(protocol)
  }
  return CONNECTIONS.filter(({ protocol }) => supported.has(protocol))
}

/**
 * Sends a request over a connection of that kind. Undefined if a session was to be resumed and the subject started
 * a new one, since nothing was learnt then. A subject that refuses a certificate in TLS never issues a session for
 * it; its refusal is the answer.
 */
export async function askOver(
  context: Context,
  { component, connection, credentials, ask }: Asking,
): Promise<Reply | undefined> {
  const { protocol, manner } = connection
  if (manner === 'fresh') return ask({ protocol })
  const { client, url } = context[component]
  const session = await takeSession(client, url, credentials, protocol)
  const reply = await ask(session === undefined ? { protocol } : { protocol, session })
  if (reply.resumed || (session === undefined && isRefusedInTls(reply))) return reply
  context.note(`the ${component} did not resume the session over ${protocol}`)
  return undefined
}

interface Asking {
  readonly component: ComponentName
  readonly connection: Connection
  readonly credentials: Credentials
  ask(tls: TlsChoice): Promise<Reply>
}

function isRefusedInTls(reply: Reply): boolean {
  return reply.status === undefined && isRefusal(reply)
}
