import { X509Certificate } from 'node:crypto'
import { fromBase64 } from '../bytes/base64.ts'
import type { RegistrationRow } from '../storage/databases/database.ts'
import { refuse } from './refuse.ts'
import type { RegistrationRequest } from './registration-shape.ts'

/** The address and TLS certificate of an agent; a registration may change these in an active record. */
export type Contact = Pick<RegistrationRow, 'ekcert' | 'mtls_cert' | 'ip' | 'port'>

const MAX_PORT = 65_535

/** Reads the contact members of a registration; `ekcert` is already known. */
export function parseContact(request: RegistrationRequest, ekcert: string | null): Contact {
  return {
    ekcert,
    mtls_cert: readServerCertificate(request.mtls_cert || null),
    ip: readAddress(request.ip ?? null),
    port: readPort(request.port ?? null),
  }
}

/** The contact that waits in an active record until the TPM has opened the blob of its registration. */
export function readPending({ pending }: Pick<RegistrationRow, 'pending'>): Partial<Contact> {
  return pending === null ? {} : (JSON.parse(pending) as Contact)
}

/** PEM, base64 DER, or the word that push agents send; a private key that came along is not kept. */
function readServerCertificate(text: string | null): string | null {
  if (text === null || text === 'disabled') return text
  try {
    const labels = [...text.matchAll(/-----BEGIN ([^-]+)-----/g)].map(([, label]) => label)
    if (labels.length === 0) return new X509Certificate(fromBase64(text)).toString()
    new X509Certificate(text)
    if (labels.every((label) => label === 'CERTIFICATE')) return text
  } catch (cause) {
    throw refuse('mtls_cert', 'is not a certificate in PEM or base64 DER', cause)
  }
  throw refuse('mtls_cert', 'holds something besides certificates')
}

/** IPv4, IPv6 or a host name; no other text reaches a log or another client (CVE-2022-23949). */
function readAddress(ip: string | null): string | null {
  if (ip === null || /^[A-Za-z0-9.:%_-]{0,255}$/.test(ip)) return ip
  throw refuse('ip', 'an IP address or a host name is needed')
}

function readPort(port: string | number | null): number | null {
  if (port === null) return null
  const number = Number(port)
  if (number <= MAX_PORT) return number
  throw refuse('port', `${number} is above ${MAX_PORT}`)
}
