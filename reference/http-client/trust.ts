import { X509Certificate } from 'node:crypto'
import type { AgentOptions } from 'node:https'

/**
 * The server identity to accept: a certificate of one of these authorities for the requested host; or exactly this
 * certificate, for any name and from any issuer (interface document, "Certificate requirements": the
 * certificate of an agent is trusted "only for that connection"). Both are PEM.
 */
export type Trust = { readonly ca: string } | { readonly certificate: string }

/** The same in the words of node:tls. */
export function tlsTrust(trust: Trust): AgentOptions {
  if ('ca' in trust) return { ca: trust.ca }
  const pinned = new X509Certificate(trust.certificate).fingerprint256
  return {
    ca: trust.certificate,
    // Whatever issued it, the certificate itself may end the chain.
    allowPartialTrustChain: true,
    // A certificate that it issued is another one.
    checkServerIdentity: (_, peer) =>
      peer.fingerprint256 === pinned ? undefined : new AnotherCertificate(),
  }
}

class AnotherCertificate extends Error {
  readonly code = 'ANOTHER_CERTIFICATE'

  constructor() {
    super('the server shows another certificate than the one it is known by')
  }
}
