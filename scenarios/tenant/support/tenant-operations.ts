import { createDecipheriv } from 'node:crypto'
import { PrerequisiteFailed } from '../../../conformance/attempt/endings.ts'
import { unbase64 } from '../../../conformance/client/bytes.ts'
import { tagOf } from '../../../conformance/peers/bootstrap-keys.ts'
import type { Peer, TenantStage } from '../../../conformance/peers/tenants.ts'
import { deriveKey } from '../../../simulator/agents/key-forms.ts'
import { decodedPart, parseTarget } from '../../../simulator/agents/request-line.ts'

type Body = Readonly<Record<string, unknown>>

/** The recorded requests of a tenant. */
interface TenantOperations {
  countRequests(peer: Peer): number
  /** Bodies of the agents added at the verifier. */
  readonly added: readonly Body[]
  /** Runtime policies posted to the verifier. */
  readonly policies: readonly { readonly name: string; readonly body: Body }[]
  /** Body of the last U key. */
  readonly ukey: Body
  readonly sentU: number
  readonly nonce: string | undefined
  /** The nonce of each identity quote that was requested. */
  readonly nonces: readonly string[]
  readonly challenge: string | undefined
  /** Paths requested from the agent, with their versions. */
  readonly agentPaths: readonly string[]
  /** Method and decoded path of each request, without its version. */
  readonly order: readonly string[]
  /** All requests to the agent, and all to the verifier, as text. */
  readonly toAgent: string
  readonly toVerifier: string
}

export function tenantOperations({ requests }: TenantStage): TenantOperations {
  const rows = requests.map(({ peer, request: { method, url, json, body } }) => {
    const { path: pathname, query } = parseTarget(url)
    const path = pathname.replace(/^\/v\d[^/]*/, '')
    return {
      peer,
      method,
      pathname,
      path,
      query,
      json: (json ?? {}) as Body,
      text: url + body,
    }
  })
  const of = (peer: Peer) => rows.filter((row) => row.peer === peer)
  const to = (path: string) => of('agent').filter((row) => row.path === path)
  const nonces = to('/quotes/identity').flatMap(({ query }) => query.get('nonce') ?? [])
  return {
    countRequests: (peer) => of(peer).length,
    added: of('verifier').flatMap(({ method, path, json }) =>
      method === 'POST' && path.startsWith('/agents/') ? [json] : [],
    ),
    policies: of('verifier').flatMap(({ method, path, json }) => {
      const [, name] = /^\/allowlists\/(.+)$/.exec(path) ?? []
      return method === 'POST' && name !== undefined
        ? [{ name: decodedPart(name), body: json }]
        : []
    }),
    ukey: to('/keys/ukey').at(-1)?.json ?? {},
    sentU: to('/keys/ukey').length,
    nonce: nonces.at(-1),
    nonces,
    challenge: to('/keys/verify').at(-1)?.query.get('challenge') ?? undefined,
    agentPaths: of('agent').map(({ pathname }) => pathname),
    order: rows.map(({ method, path }) => `${method} ${decodedPart(path)}`),
    toAgent: of('agent')
      .map(({ text }) => text)
      .join('\n'),
    toVerifier: of('verifier')
      .map(({ text }) => text)
      .join('\n'),
  }
}

/** The body with which a tenant added its agent. @throws {PrerequisiteFailed} if it added none */
export function addedBody({ added }: TenantOperations, code: number | null): Body {
  const [body] = added
  if (body !== undefined) return body
  throw new PrerequisiteFailed({
    ...{ requirement: 'TEN-MANAGES-AGENTS', what: 'agents added at the verifier' },
    ...{ expected: '1', received: `none, and exit code ${code}` },
  })
}

/** @throws {PrerequisiteFailed} if a tenant has sent no U key to its agent, as it has added none or for another reason */
export function requireU(operations: TenantOperations, code: number | null): void {
  if (operations.sentU > 0) return
  addedBody(operations, code)
  throw new PrerequisiteFailed({
    ...{ requirement: 'TEN-SENDS-U', what: 'U keys sent to the agent' },
    ...{ expected: '1', received: 'none' },
  })
}

/** Certificates presented to a peer: `trusted` for one of the authority, `none`, or its subject. */
export function certificatesShown({ requests }: TenantStage, peer: Peer): readonly string[] {
  const shown = requests
    .filter((one) => one.peer === peer)
    .map(({ request: { tls } }) => {
      if (tls?.client === undefined) return 'none'
      return tls.client.trusted ? 'trusted' : tls.client.subject
    })
  return [...new Set(shown)]
}

/** Returns the keys sent to the agent and the verifier, and the K that they form. */
export function tenantKeys(stage: TenantStage, added: Body) {
  const { ukey } = tenantOperations(stage)
  const { v: encoded } = added
  const { keyForms } = stage.keys
  const u = stage.keys.nodeKey.decrypt(unbase64(String(ukey['encrypted_key'] ?? '')), keyForms)
  const v = typeof encoded === 'string' ? unbase64(encoded) : undefined
  const k = u && v && deriveKey(keyForms, u, v)
  const tagFits = k !== undefined && ukey['auth_tag'] === tagOf({ k, keyForms }, stage.agentId)
  return { u, v, k, tagFits }
}

/** Returns a payload as the agent would read it; undefined if K does not open it. */
export function openPayload(k: Uint8Array | undefined, payload: unknown): string | undefined {
  return openBytes(k, payload)?.toString('utf8')
}

/** The same for a payload that is no text. */
export function openBytes(k: Uint8Array | undefined, payload: unknown): Buffer | undefined {
  const bytes = unbase64(String(payload ?? ''))
  if (k === undefined || bytes.length < 32) return undefined
  try {
    const cipher = createDecipheriv('aes-256-gcm', k, bytes.subarray(0, 16))
    cipher.setAuthTag(bytes.subarray(-16))
    const opened = [cipher.update(bytes.subarray(16, -16)), cipher.final()]
    return Buffer.concat(opened)
  } catch {
    return undefined
  }
}
