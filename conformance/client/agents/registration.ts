import { X509Certificate } from 'node:crypto'
import type { Dialect } from '../../dialects/dialect.ts'
import { base64 } from '../bytes.ts'

const PORT = 9002

/** The machine data in a registration. */
export interface Registered {
  readonly ek: { readonly public: Uint8Array; readonly certificate: Uint8Array }
  readonly ak: { readonly public: Uint8Array }
}

/** Body of a registration of this machine (interface document, "Registrar agent record"). */
export function registrationOf(
  { ek, ak }: Registered,
  dialect: Dialect,
): Readonly<Record<string, unknown>> {
  return {
    ekcert: encodeCertificate(ek.certificate, dialect),
    ...(dialect['registration-ek'] === 'ekcert-only' ? {} : { ek_tpm: base64(ek.public) }),
    aik_tpm: base64(ak.public),
    mtls_cert: 'disabled',
    ip: '127.0.0.1',
    port: encodePort(PORT, dialect),
    ...(dialect['identity-certificates'] === 'null' ? { iak_cert: null, idevid_cert: null } : {}),
  }
}

export function encodePort(port: number, dialect: Dialect): string | number {
  return dialect['port-type'] === 'string' ? String(port) : port
}

export function encodeCertificate(der: Uint8Array, dialect: Dialect): string {
  return dialect['ekcert-encoding'] === 'pem' ? new X509Certificate(der).toString() : base64(der)
}
