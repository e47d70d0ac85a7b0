import { createDecipheriv, createHash } from 'node:crypto'
import { PrerequisiteFailed } from '../../../conformance/attempt/endings.ts'
import type { CertificateDefect } from '../../../conformance/client/agents/ek-certificates.ts'
import { unbase64 } from '../../../conformance/client/bytes.ts'
import { readQuote } from '../../../conformance/oracle/read-quote.ts'
import { tagOf } from '../../../conformance/peers/bootstrap-keys.ts'
import type { Again } from '../../../conformance/peers/tenant-servers.ts'
import type { Peer, StageOptions, TenantStage } from '../../../conformance/peers/tenants.ts'
import { deriveKey } from '../../../simulator/agents/key-forms.ts'
import type { Results } from '../../../simulator/agents/misbehaviour.ts'
import { nodeKeyOf } from '../../../simulator/agents/node-key.ts'
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
    nonce: to('/quotes/identity').at(-1)?.query.get('nonce') ?? undefined,
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

interface Impostor {
  readonly id: string
  readonly says: string
  readonly requirement: string
  readonly needs?: readonly string[]
  stage(): StageOptions
}

const OTHER_NONCE = 'A0A0A0A0A0A0A0A0A0A0'

/** Flips a bit of the signature, which is the second part of a quote. */
function resigned({ quote, ...rest }: Results): Results {
  const [message = '', signature = '', pcrs = ''] = String(quote).split(':')
  const bytes = unbase64(signature)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  return { ...rest, quote: [message, Buffer.from(bytes).toString('base64'), pcrs].join(':') }
}

const OTHER_KEY = nodeKeyOf('a stranger').publicPem

/** A quote of the agent beside a PCR 16 that holds another key: what another host may make of the answer of the agent. */
function relayed({ quote, ...rest }: Results): Results {
  const [message = '', signature = '', pcrs = ''] = String(quote).split(':')
  const blob = Buffer.from(unbase64(pcrs))
  const [own = new Uint8Array()] = readQuote(String(quote)).pcrs?.values ?? []
  const measured = createHash('sha256').update(OTHER_KEY).digest()
  const forged = createHash('sha256').update(Buffer.alloc(32)).update(measured).digest()
  blob.set(forged, blob.indexOf(own))
  const parts = [message, signature, blob.toString('base64')]
  return { ...rest, quote: parts.join(':'), pubkey: OTHER_KEY }
}

/** Agents to which a verifying tenant does not send the U key. */
export const tenantImpostors: readonly Impostor[] = [
  {
    id: 'stale-quote',
    says: 'whose quote is over another nonce',
    requirement: 'TEN-CHECKS-IDENTITY',
    stage: () => ({ mutateIdentity: (_truth: Results, again: Again) => again(OTHER_NONCE) }),
  },
  {
    id: 'quote-without-nonce',
    says: 'whose quote is over no nonce',
    requirement: 'TEN-CHECKS-IDENTITY',
    stage: () => ({ mutateIdentity: (_truth: Results, again: Again) => again('') }),
  },
  {
    id: 'signature-altered',
    says: 'whose quote its key has not signed',
    requirement: 'TEN-CHECKS-IDENTITY',
    stage: () => ({ mutateIdentity: resigned }),
  },
  {
    id: 'key-of-another',
    says: 'whose public key is not the one in its quote',
    requirement: 'TEN-SENDS-U-ENCRYPTED',
    stage: () => ({
      mutateIdentity: (truth) => ({ ...truth, pubkey: OTHER_KEY }),
    }),
  },
  {
    id: 'key-of-another-in-pcr',
    says: 'whose public key is in a PCR 16 that its quote is not over',
    requirement: 'TEN-SENDS-U-ENCRYPTED',
    stage: () => ({ mutateIdentity: relayed }),
  },
  {
    id: 'certificate-of-nobody',
    says: 'that is registered without an EK certificate',
    requirement: 'TEN-CHECKS-EK-MISSING',
    stage: () => ({ mutateRecord: ({ ekcert: _, ...record }) => ({ ...record, ekcert: '' }) }),
  },
  {
    id: 'without-tls',
    says: 'that is registered without a certificate and speaks no TLS',
    requirement: 'TEN-CHECKS-AGENT',
    stage: () => ({ withoutTls: true }),
  },
  {
    id: 'ekcert-key-unreadable',
    says: 'whose registered EK is unreadable, with an EK certificate',
    requirement: 'TEN-CHECKS-EK',
    stage: () => ({ mutateRecord: (record) => ({ ...record, ek_tpm: 'AAAA' }) }),
  },
  ...[
    certified('another-maker', 'was issued by an untrusted maker'),
    certified('other-key', 'is for the key of another TPM'),
    certified('expired', 'is of an earlier decade'),
    certified('other-use', 'is for TLS clients', ['ek_profile']),
    certified('authority', 'is a CA certificate', ['ek_profile']),
    certified('issuer-expired', 'was issued by a CA that has expired', ['ek_profile']),
    certified('path-too-long', 'was issued below a CA that may issue to TPMs only', ['ek_profile']),
    certified('cut', 'lacks its last bytes'),
  ],
]

function certified(
  defect: CertificateDefect,
  says: string,
  needs: readonly string[] = [],
): Impostor {
  return {
    id: `ekcert-${defect}`,
    says: `whose registered EK certificate ${says}`,
    requirement: 'TEN-CHECKS-EK',
    needs,
    stage: () => ({ ekCertificate: defect }),
  }
}
