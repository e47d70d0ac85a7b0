import { isRefusal, type Reply } from '../../../conformance/attempt/reply.ts'
import type { TlsChoice } from '../../../conformance/client/https-client.ts'
import { ANONYMOUS, type Credentials } from '../../../conformance/client/identity.ts'
import { takeSession } from '../../../conformance/client/resume-tls.ts'
import type { TlsProtocol } from '../../../conformance/client/secure-contexts.ts'
import type { Context } from '../../../conformance/scenario.ts'
import type { ComponentName } from './questions.ts'

/** Every way in which a certificate is shown; the words stand in the ids of cells. */
export const CONNECTIONS = [
  { protocol: 'TLSv1.2', manner: 'fresh', words: 'tls1.2 fresh' },
  { protocol: 'TLSv1.3', manner: 'fresh', words: 'tls1.3 fresh' },
  { protocol: 'TLSv1.2', manner: 'resumed', words: 'tls1.2 resumed' },
  { protocol: 'TLSv1.3', manner: 'resumed', words: 'tls1.3 resumed' },
] as const

export type Connection = (typeof CONNECTIONS)[number]

/** The connections that the component speaks at all; the document asks for no version of TLS. */
export async function spokenConnections(
  context: Context,
  component: ComponentName,
): Promise<readonly Connection[]> {
  const spoken = new Set<TlsProtocol>()
  for (const protocol of ['TLSv1.2', 'TLSv1.3'] as const) {
    const reply = await context[component].get('/version', { as: ANONYMOUS, tls: { protocol } })
    if (reply.status === undefined) context.note(`the ${component} does not speak ${protocol}`)
    else spoken.add(protocol)
  }
  return CONNECTIONS.filter(({ protocol }) => spoken.has(protocol))
}

/**
 * Asks over a connection of that kind. Undefined when a session was to be resumed and the subject served the
 * client over a new one: then nothing was learnt. A subject that refuses a certificate in TLS never gives a
 * session for it, and its refusal is the answer.
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

export interface Asking {
  readonly component: ComponentName
  readonly connection: Connection
  readonly credentials: Credentials
  ask(tls: TlsChoice): Promise<Reply>
}

function isRefusedInTls(reply: Reply): boolean {
  return reply.status === undefined && isRefusal(reply)
}
