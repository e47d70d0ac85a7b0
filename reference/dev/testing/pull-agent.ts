import { generateKeyPairSync, privateDecrypt } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import { onTestFinished } from 'vitest'
import { toBase64 } from '../../bytes/base64.ts'
import { CLIENT_AUTH, type Credential, SERVER_AUTH } from '../../pki/authority.ts'
import { type Machine, PCR, quoteResults, STUB_AK } from './stub-pull-machine.ts'
import { authority } from './test-server.ts'

const NODE_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PEM = NODE_KEY.publicKey.export({ type: 'spki', format: 'pem' }).toString()

/** The client certificate of a test's verifier. */
export const VERIFIER = await authority.issue({ commonName: 'verifier', usage: CLIENT_AUTH })

/** The server certificate of an agent, and that of another. */
export const AGENT_TLS = await authority.issue({ commonName: 'agent', usage: SERVER_AUTH })
export const OTHER_TLS = await authority.issue({ commonName: 'agent', usage: SERVER_AUTH })

interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: string
  /** The TCP port that the request came from, and whether its TLS session was a resumed one. */
  readonly from: number
  readonly isResumed: boolean
  /** The certificate that it came with, in DER. */
  readonly client: Uint8Array
}

/** A false answer of an agent. */
export type Answer = (asked: RecordedRequest, response: ServerResponse, honest: () => void) => void

/** A pull agent on a loopback port, whose TPM is software. */
export interface PullAgent {
  readonly port: number
  /** PEM */
  readonly nodeKey: string
  readonly asked: readonly RecordedRequest[]
  /** An add-agent request for it, with some members changed. */
  request(change?: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  /** From now on, until the next word. */
  answers(answer?: Answer): void
  /** Changes what its next quotes say. */
  set(change: Partial<Machine>): void
  /** The V key that it was sent. */
  receivedV(): string | undefined
  /** Ends every connection, and takes none until it is opened again. */
  close(): Promise<void>
  open(): Promise<void>
}

/** Serves clients of a CA, in PEM; default: that of the tests. It ends with the test. */
export async function pullAgent(
  tls: Credential = AGENT_TLS,
  ca: string = authority.certificate,
): Promise<PullAgent> {
  const asked: RecordedRequest[] = []
  let answer: Answer | undefined
  let machine: Machine = { resetCount: 5, list: [], nodeKey: PEM, ima: PCR, pcr: PCR }
  let [port, v] = [0, undefined as string | undefined]

  const honest = ({ path, query, body }: RecordedRequest, response: ServerResponse): void => {
    const isV = path.endsWith('/keys/vkey')
    if (isV) v = decrypted(JSON.parse(body).encrypted_key)
    if (path.endsWith('/quotes/integrity'))
      say(response, 200, quoteResults(machine, query, path.split('/')[1]?.slice(1)))
    else say(response, isV ? 200 : 404, {})
  }
  const listener: RequestListener = async (request, response) => {
    const one = await askedOf(request)
    asked.push(one)
    const answerHonestly = () => honest(one, response)
    if (answer === undefined) answerHonestly()
    else answer(one, response, answerHonestly)
  }
  const start = () => {
    const options = { cert: tls.certificate, key: tls.key, ca }
    const made = createServer({ ...options, requestCert: true }, listener)
    return new Promise<typeof made>((resolve) =>
      made.listen(port, '127.0.0.1', () => resolve(made)),
    )
  }
  let server = await start()
  port = (server.address() as AddressInfo).port
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  onTestFinished(close)
  return {
    port,
    nodeKey: PEM,
    asked,
    request: (change = {}) => ({
      ...{ ak_tpm: STUB_AK, supported_version: '2.5' },
      ...{ cloudagent_ip: '127.0.0.1', cloudagent_port: port, mtls_cert: tls.certificate },
      tpm_policy: JSON.stringify({ 0: [PCR], mask: '0x1' }),
      ...change,
    }),
    answers: (said) => {
      answer = said
    },
    set: (change) => {
      machine = { ...machine, ...change }
    },
    receivedV: () => v,
    close,
    open: async () => {
      server = await start()
    },
  }
}

/** Answers in an envelope. */
export function say(response: ServerResponse, status: number, results: unknown, text = ''): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ code: status, status: text, results }))
}

async function askedOf(request: IncomingMessage): Promise<RecordedRequest> {
  const { pathname: path, searchParams } = new URL(request.url ?? '', 'https://agent')
  const socket = request.socket as TLSSocket
  return {
    ...{ method: request.method ?? '', path, query: Object.fromEntries(searchParams) },
    ...{ body: await text(request), from: socket.remotePort ?? 0 },
    ...{ isResumed: socket.isSessionReused(), client: socket.getPeerCertificate().raw },
  }
}

function decrypted(base64: string): string {
  const key = { key: NODE_KEY.privateKey, oaepHash: 'sha1' }
  return toBase64(privateDecrypt(key, Buffer.from(base64, 'base64')))
}
