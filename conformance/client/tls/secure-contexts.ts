import { createSecureContext, type SecureContext } from 'node:tls'
import type { Credentials } from '../identity.ts'

export type TlsProtocol = 'TLSv1.2' | 'TLSv1.3'

type Certificate = NonNullable<Credentials['certificate']>

/**
 * TLS contexts, cached by client certificate: parsing the PEM of certificate, key and CA takes about as long as a
 * handshake.
 */
export class SecureContexts {
  /** PEM of the CA that issues the subject's server certificates. */
  readonly ca: string
  readonly #made = new WeakMap<object, Map<TlsProtocol | undefined, SecureContext>>()
  readonly #anonymous = {}

  constructor(ca: string) {
    this.ca = ca
  }

  /** @param protocol the only TLS version to offer. Default: both */
  of({ certificate }: Credentials, protocol?: TlsProtocol): SecureContext {
    const holder = certificate ?? this.#anonymous
    const made = this.#made.get(holder) ?? new Map<TlsProtocol | undefined, SecureContext>()
    this.#made.set(holder, made)
    const context = made.get(protocol) ?? this.#make(certificate, protocol)
    made.set(protocol, context)
    return context
  }

  #make(certificate: Certificate | undefined, protocol: TlsProtocol | undefined): SecureContext {
    return createSecureContext({
      ca: this.ca,
      ...(certificate && { cert: certificate.cert, key: certificate.key }),
      ...(protocol && { minVersion: protocol, maxVersion: protocol }),
    })
  }
}
