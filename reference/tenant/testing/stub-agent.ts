import {
  constants,
  createDecipheriv,
  createHash,
  createHmac,
  generateKeyPairSync,
  privateDecrypt,
} from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import { onTestFinished } from 'vitest'
import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import { concat } from '../../bytes/writer.ts'
import { writePcrBlob } from '../../evidence/quote/pcr-blob.ts'
import { writeQuoteString } from '../../evidence/quote/quote-string.ts'
import { makeStubAttester, quoted } from '../../evidence/testing/stub-attester.ts'
import { type Authority, createAuthority, SERVER_AUTH } from '../../pki/authority.ts'
import { FIRST_ADMINISTRATOR } from '../../pki/tls-names.ts'

const sha256 = (...parts: readonly Uint8Array[]) =>
  new Uint8Array(
    createHash('sha256')
      .update(concat(...parts))
      .digest(),
  )

const ATTESTER = makeStubAttester()
const NODE_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const NODE_PEM = NODE_KEY.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const OWN_CA = await createAuthority('an agent', Date.now())

/** How an agent answers otherwise than it should, in one place. */
export interface AgentChange {
  readonly version?: { readonly status?: number; readonly results?: object }
  /** Quoted in place of the nonce. */
  readonly nonce?: string
  /** The key that signs the quote; default: its own. */
  readonly signer?: typeof ATTESTER
  /** Extended into PCR 16 in place of the key in PEM. */
  readonly measured?: string
  /** Members of the identity. */
  readonly identity?: Readonly<Record<string, unknown>>
  /** Statuses of POST keys/ukey and GET keys/verify. */
  readonly ukey?: number
  readonly hmac?: string
  /** Key that the HMAC is made with, in the place of the derived one. */
  readonly wrongKey?: true
  /** Whether it ends the connection instead of proving its key. */
  readonly leaves?: true
}

interface StubAgent {
  readonly port: number
  /** Its registration. */
  readonly registration: { readonly aik_tpm: string; readonly mtls_cert: string }
  /** `METHOD path` of every request of an administrator, in order. */
  readonly asked: readonly string[]
  /** The payload that it decrypted with both halves. */
  readonly opened: { payload?: string; tagIsRight?: boolean; sent?: Record<string, string> }
  /** The half that comes from a verifier; asked for when it is needed. */
  askV: () => Promise<string | null>
}

type Route = (url: URL, body: Record<string, string>) => Promise<CommandResult> | CommandResult

interface CommandResult {
  readonly status: number
  readonly results: unknown
}

/** A pull agent without a TPM, on TLS that asks for a client certificate; it ends with the test. */
export async function stubAgent(ca: string, change: AgentChange = {}): Promise<StubAgent> {
  const tls = await tlsOf(OWN_CA)
  const agent: Omit<StubAgent, 'port'> & { asked: string[] } = {
    registration: { aik_tpm: toBase64(ATTESTER.tpm2bPublic), mtls_cert: tls.certificate },
    ...{ asked: [], opened: {}, askV: async () => null },
  }
  const routes = routesOf(agent, change)
  const options = { key: tls.key, cert: tls.certificate, ca, requestCert: true }
  const server = createServer(
    { ...options, rejectUnauthorized: true },
    async (request, response) => {
      const url = new URL(request.url ?? '', 'https://agent')
      // Polls of the verifier are its own affair.
      if (isAdministrator(request)) agent.asked.push(`${request.method} ${url.pathname}`)
      if (change.leaves && url.pathname.endsWith('/verify')) return void request.socket.destroy()
      const body = request.method === 'POST' ? await json(request) : {}
      const route = routes[url.pathname.split('/').at(-1) ?? '']
      const { status, results } = (await route?.(url, body as Record<string, string>)) ?? NOT_FOUND
      response.writeHead(status).end(JSON.stringify({ code: status, status: 'Said', results }))
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return Object.assign(agent, { port: (server.address() as AddressInfo).port })
}

function isAdministrator({ socket }: IncomingMessage): boolean {
  return (socket as TLSSocket).getPeerCertificate().subject?.CN === FIRST_ADMINISTRATOR
}

const NOT_FOUND: CommandResult = { status: 404, results: {} }

function routesOf(agent: Omit<StubAgent, 'port'>, change: AgentChange): Record<string, Route> {
  let keyOf = async (): Promise<Buffer | undefined> => undefined
  return {
    version: () => {
      const { status = 200, results = { supported_versions: ['2.4', '2.5'] } } =
        change.version ?? {}
      return { status, results }
    },
    identity: ({ searchParams }) => {
      return { status: 200, results: identityFor(searchParams.get('nonce') ?? '', change) }
    },
    ukey: (_, sent) => {
      agent.opened.sent = sent
      keyOf = async () => open(sent, await agent.askV(), agent.opened)
      return { status: change.ukey ?? 200, results: null }
    },
    verify: async ({ searchParams }) => {
      const key = await keyOf()
      if (key === undefined) return { status: 400, results: {} }
      const tag = createHmac('sha384', change.wrongKey ? 'x' : key)
      const hmac = tag.update(searchParams.get('challenge') ?? '').digest('hex')
      return { status: 200, results: { hmac: change.hmac ?? hmac } }
    },
  }
}

function tlsOf(authority: Authority) {
  const hosts = [{ type: 'ip', value: '127.0.0.1' } as const]
  return authority.issue({ commonName: 'agent', usage: SERVER_AUTH, hosts })
}

function identityFor(nonce: string, change: AgentChange) {
  const { signer = ATTESTER, measured = NODE_PEM } = change
  const text = new TextEncoder()
  const value = sha256(new Uint8Array(32), sha256(text.encode(measured)))
  const claimed = [{ bank: 'sha256', values: new Map([[16, value]]) }]
  const extraData = text.encode(change.nonce ?? nonce)
  const pcrBlob = writePcrBlob(claimed)
  const quote = writeQuoteString({
    ...signer.attest({ extraData, attested: quoted(claimed) }),
    pcrBlob,
  })
  const algorithms = { hash_alg: 'sha256', enc_alg: 'ecc256', sign_alg: 'ecdsa' }
  return { quote, ...algorithms, pubkey: NODE_PEM, boottime: 1, ...change.identity }
}

/** Puts the halves together as an agent does, with its own reading of the scheme. */
function open(
  sent: Record<string, string>,
  v: string | null,
  opened: StubAgent['opened'],
): Buffer | undefined {
  if (v === null) return undefined
  const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' }
  const u = privateDecrypt(
    { key: NODE_KEY.privateKey, ...padding },
    fromBase64(sent.encrypted_key ?? ''),
  )
  const k = Buffer.from(u.map((byte, at) => byte ^ (fromBase64(v)[at] ?? 0)))
  const tag = createHmac('sha384', k).update(AGENT_ID).digest('hex')
  opened.tagIsRight = tag === sent.auth_tag
  if (sent.payload !== undefined) opened.payload = unseal(k, fromBase64(sent.payload))
  return k
}

export const AGENT_ID = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'

function unseal(k: Uint8Array, sealed: Uint8Array): string {
  const decipher = createDecipheriv('aes-256-gcm', k, sealed.subarray(0, 16))
  decipher.setAuthTag(sealed.subarray(-16))
  return `${decipher.update(sealed.subarray(16, -16), undefined, 'utf8')}${decipher.final('utf8')}`
}
