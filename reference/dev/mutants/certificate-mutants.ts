import { ACTIONS } from '../../authorization/actions.ts'
import { administratorOf, type Peer, selectIdentity } from '../../authorization/identity.ts'
import { SIMPLE_RULES, simpleProvider } from '../../authorization/simple.ts'
import type { Mutant } from './evidence/list-minus-one.ts'

const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'

/** Takes chains that OpenSSL refuses for this reason. */
function despite(reason: string): Mutant['parts'] {
  return {
    administratorOf: (peer) =>
      administratorOf(peer.refusedFor === reason ? { ...peer, authorized: true } : peer),
  }
}

/** Reads the extended key usage of a certificate as if it were for clients. */
function asClient(peer: Peer): Peer {
  if (peer.certificate === undefined) return peer
  return { ...peer, certificate: { ...peer.certificate, extendedKeyUsage: [CLIENT_AUTH] } }
}

function isForServers({ certificate }: Peer): boolean {
  return certificate?.extendedKeyUsage?.includes(SERVER_AUTH) === true
}

/** Components that treat the wrong certificates as those of administrators. */
export const CERTIFICATE_MUTANTS: readonly Mutant[] = [
  {
    id: 'expired-accepted',
    defect: 'a certificate counts after its end',
    parts: despite('CERT_HAS_EXPIRED'),
  },
  {
    id: 'not-yet-valid-accepted',
    defect: 'a certificate counts before its beginning',
    parts: despite('CERT_NOT_YET_VALID'),
  },
  {
    id: 'issuer-by-name',
    defect: 'the name of the CA is looked at, and not its signature',
    parts: despite('CERT_SIGNATURE_FAILURE'),
  },
  {
    id: 'issuer-unknown',
    defect: 'it does not matter which CA a certificate is of',
    parts: despite('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
  },
  {
    id: 'self-signed-accepted',
    defect: 'a certificate that is its own authority is good',
    parts: despite('DEPTH_ZERO_SELF_SIGNED_CERT'),
  },
  {
    id: 'usage-not-looked-at',
    defect: 'a certificate that OpenSSL accepts may do everything, with any usage',
    parts: { administratorOf: (peer) => administratorOf(asClient(peer)) },
  },
  {
    id: 'server-certificate-accepted',
    defect: 'a certificate for servers is as good as one for clients',
    parts: {
      administratorOf: (peer) =>
        administratorOf(isForServers(peer) ? { ...asClient(peer), authorized: true } : peer),
    },
  },
  {
    id: 'session-without-certificate',
    defect: 'a resumed session counts as authorized although no certificate came with it',
    parts: {
      administratorOf: (peer) =>
        peer.authorized && peer.certificate === undefined ? 'client' : administratorOf(peer),
    },
  },
  {
    id: 'certificate-optional',
    defect: 'a client without a certificate is let in (CVE-2026-1709)',
    parts: {
      administratorOf: (peer) =>
        peer.certificate === undefined ? 'client' : administratorOf(peer),
    },
  },
  {
    id: 'registrar-open',
    defect: "the registrar's routes for administrators are open to every client (CVE-2026-1709)",
    parts: {
      authorizationProviders: {
        simple: () =>
          simpleProvider(SIMPLE_RULES, {
            ...ACTIONS,
            list_registrations: 'public',
            read_registration: 'public',
            delete_registration: 'public',
          }),
      },
    },
  },
  {
    id: 'certificate-beside-token',
    defect: 'the certificate of an administrator outranks the token in the same request',
    parts: {
      selectIdentity: async (credentials, authenticateToken, nameOf) => {
        const name = nameOf(credentials.peer)
        if (name !== undefined) return { type: 'admin', name }
        return selectIdentity(credentials, authenticateToken, nameOf)
      },
    },
  },
  {
    id: 'one-administrator',
    defect: 'only the certificate that was generated with the CA is an administrator',
    parts: {
      administratorOf: (peer) => {
        const name = administratorOf(peer)
        return name === 'client' ? name : undefined
      },
    },
  },
  {
    id: 'common-name-needed',
    defect: 'a certificate without a common name is anonymous',
    parts: {
      administratorOf: (peer) =>
        peer.certificate?.commonName === undefined ? undefined : administratorOf(peer),
    },
  },
  {
    id: 'both-usages-refused',
    defect: 'a certificate for clients and servers is anonymous',
    parts: {
      administratorOf: (peer) => (isForServers(peer) ? undefined : administratorOf(peer)),
    },
  },
]
