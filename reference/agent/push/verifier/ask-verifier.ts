import { DOCUMENT_MEDIA_TYPE } from '../../../api/document.ts'
import type { JsonQuestion, JsonReply } from '../../../http-client/json-client.ts'
import type { PushEnvironment } from '../environment.ts'
import type { Failed, Token } from '../events.ts'
import { failureOf, failureWithout } from '../outcomes.ts'

export const VERIFIER = 'verifier'

/** A request, and the status of a successful reply. */
interface VerifierQuestion extends Pick<JsonQuestion, 'method' | 'path' | 'body'> {
  readonly succeeds: number
  /** The agent's credential; sessions are opened without one. */
  readonly token?: Token | undefined
}

type VerifierAnswer = { readonly reply: JsonReply } | { readonly failed: Failed }

/** Asks the verifier under /v3 (ambiguity V3). The token goes into a header of this one connection, and nowhere else. */
export async function askVerifier(
  { verifier, clock, rules }: Pick<PushEnvironment, 'verifier' | 'clock' | 'rules'>,
  { method, path, body, succeeds, token }: VerifierQuestion,
): Promise<VerifierAnswer> {
  const media = { accept: DOCUMENT_MEDIA_TYPE, 'content-type': DOCUMENT_MEDIA_TYPE }
  const headers = token === undefined ? media : { ...media, authorization: `Bearer ${token.value}` }
  try {
    const reply = await verifier.ask({
      ...(method && { method }),
      path: `/v3${path}`,
      body,
      headers,
    })
    if (reply.status === succeeds) return { reply }
    return { failed: failureOf(rules.statuses, VERIFIER, reply, clock.now()) }
  } catch (error) {
    return { failed: failureWithout(VERIFIER, error) }
  }
}
