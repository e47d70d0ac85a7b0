import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import {
  createSecureContext,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls'
import { outliveAnswer } from '../../../simulator/agents/http/outlive-answer.ts'
import { codeOf } from '../../input/fault.ts'
import type { FaultCode } from '../../input/fault-codes.ts'

/** The result of one request. */
export type Probe =
  | {
      readonly kind: 'answered'
      /** Absent if the server requires a client certificate first. */
      readonly status?: number
      readonly protocol: string
      /** End of validity of the server certificate, as `X509Certificate` formats it. */
      readonly validTo: string
    }
  /** The server spoke TLS, or something else, but not to the CA's satisfaction; `why` completes "the server …". */
  | {
      readonly kind: 'untrusted'
      readonly code: string
      readonly fault: FaultCode
      readonly why: string
      readonly next: string
    }
  /** Nothing there, or not yet: no CA file, connection refused or reset, no answer in time. */
  | { readonly kind: 'silent'; readonly code: string; readonly why: string }

interface ProbeOptions {
  /** Path of the PEM file with the CA; read again each time, since a deployment may write it during its start. */
  readonly ca: string
  readonly timeoutMs: number
}

interface TlsWords {
  readonly fault: FaultCode
  readonly why: string
  readonly next: string
}

const UNKNOWN_CA: TlsWords = {
  fault: 'D-TLS-CA',
  why: 'shows a certificate that the CA of the target file did not issue',
  next: 'point tls.ca at the CA that issued it',
}

const NOT_TLS: TlsWords = {
  fault: 'D-TLS-PLAIN',
  why: 'does not speak TLS',
  next: 'enable TLS there, or correct the port in the url',
}

/** Messages for TLS failures, by Node and OpenSSL error code. */
const WORDS: ReadonlyMap<string, TlsWords> = new Map([
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNKNOWN_CA],
  ['UNABLE_TO_GET_ISSUER_CERT', UNKNOWN_CA],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNKNOWN_CA],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNKNOWN_CA],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNKNOWN_CA],
  ['CERT_SIGNATURE_FAILURE', UNKNOWN_CA],
  [
    'CERT_HAS_EXPIRED',
    { fault: 'D-CERT-EXPIRED', why: 'shows an expired certificate', next: 'renew it' },
  ],
  [
    'CERT_NOT_YET_VALID',
    {
      fault: 'D-CERT-EXPIRED',
      why: 'shows a certificate that is not valid yet',
      next: 'compare the clocks',
    },
  ],
  [
    'INVALID_PURPOSE',
    {
      fault: 'D-CERT-EKU',
      why: 'shows a certificate without serverAuth',
      next: 'issue it with the extended key usage serverAuth',
    },
  ],
  ['EPROTO', NOT_TLS],
  ['ERR_SSL_WRONG_VERSION_NUMBER', NOT_TLS],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', NOT_TLS],
  [
    'HPE_INVALID_CONSTANT',
    {
      fault: 'D-TLS-PLAIN',
      why: 'speaks TLS but not HTTP',
      next: 'correct the port in the url',
    },
  ],
])

function wrongName(error: unknown): TlsWords {
  const certificate: Partial<PeerCertificate> = Object(Object(error).cert)
  const names = certificate.subjectaltname ?? 'none'
  return {
    fault: 'D-TLS-NAME',
    why: `shows a certificate for another name (its subject alternative names: ${names})`,
    next: 'write one of those names in the url, or issue it for the name in the url',
  }
}

function untrusted(error: unknown): Probe | undefined {
  const code = codeOf(error)
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return { kind: 'untrusted', code, ...wrongName(error) }
  const words = WORDS.get(code)
  if (words !== undefined) return { kind: 'untrusted', code, ...words }
  if (!/^(ERR_SSL|ERR_TLS|CERT_|INVALID_)/.test(code)) return undefined
  return {
    kind: 'untrusted',
    code,
    fault: 'D-TLS-HANDSHAKE',
    why: `breaks off the TLS handshake (${code})`,
    next: 'read its log',
  }
}

function silent(error: unknown, timeoutMs: number): Probe {
  const code = codeOf(error)
  if (code === 'ECONNREFUSED') return { kind: 'silent', code, why: 'nothing listens there' }
  if (code === 'ABORT_ERR') {
    return { kind: 'silent', code, why: `no answer within ${Math.ceil(timeoutMs)} ms` }
  }
  return { kind: 'silent', code, why: `the connection failed (${code || String(error)})` }
}

function answered(socket: TLSSocket, status?: number): Probe {
  const facts = {
    kind: 'answered',
    protocol: socket.getProtocol() ?? 'TLS',
    validTo: socket.getPeerCertificate().valid_to,
  } as const
  return status === undefined ? facts : { ...facts, status }
}

/** Sends GET to `url` over TLS, trusting only the CA; never rejects. Follows no redirect and reads no body. */
function ask(url: string, trust: SecureContext, timeoutMs: number): Promise<Probe> {
  return new Promise((settle) => {
    let socket: TLSSocket | undefined
    const asked = request(url, {
      agent: new Agent({ secureContext: trust, rejectUnauthorized: true, maxCachedSessions: 0 }),
      signal: AbortSignal.timeout(Math.ceil(timeoutMs)),
    })
    asked.on('socket', (opened) => {
      socket = opened as TLSSocket
      outliveAnswer(opened)
    })
    asked.on('response', (response) => {
      settle(answered(response.socket as TLSSocket, response.statusCode))
      response.destroy()
    })
    asked.on('error', (error) => {
      const wantsCertificate = codeOf(error) === 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'
      if (wantsCertificate && socket !== undefined) settle(answered(socket))
      else settle(untrusted(error) ?? silent(error, timeoutMs))
    })
    asked.end()
  })
}

/** A trust store with only the CA in `file`; refuses an empty file, with which Node would trust the system's CAs. */
function readTrust(file: string): SecureContext {
  const pem = readFileSync(file, 'utf8')
  if (!pem.includes('-----END CERTIFICATE-----')) throw new Error('it holds no PEM certificate')
  return createSecureContext({ ca: pem })
}

/**
 * Sends one request over TLS and reports the result; any HTTP status is an answer. For a missing or incomplete CA
 * file the result is `silent` with the code `CA`.
 */
export async function probe(url: string, options: ProbeOptions): Promise<Probe> {
  let trust: SecureContext
  try {
    trust = readTrust(options.ca)
  } catch (error) {
    const why = `the CA file ${options.ca} cannot be used (${codeOf(error) || Object(error).message})`
    return { kind: 'silent', code: 'CA', why }
  }
  return await ask(url, trust, options.timeoutMs)
}
