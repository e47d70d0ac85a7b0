import { isAbsolute, join } from 'node:path'

/**
 * File names of a TLS directory. The first five are the document's names ("Default (development)
 * configuration"); the others are ours.
 */
export const NAMES = {
  ca: 'cacert.crt',
  serverCertificate: 'server-cert.crt',
  serverKey: 'server-private.pem',
  adminCertificate: 'client-cert.crt',
  adminKey: 'client-private.pem',
  caKey: 'ca-private.pem',
  verifierCertificate: 'verifier-client-cert.crt',
  verifierKey: 'verifier-client-private.pem',
  revocationCa: 'revocation-cacert.crt',
  revocationCaKey: 'revocation-ca-private.pem',
} as const

/** Common name of the administrator whose certificate is made with the CA. */
export const FIRST_ADMINISTRATOR = 'client'

/** The files that one component reads, as absolute paths or relative to where the process runs. */
export interface TlsPlaces {
  readonly directory: string
  /** One or several certificates of authorities that clients may come from. */
  readonly trustedClientCa: string
  readonly serverCertificate: string
  readonly serverKey: string
  /** The client certificate and key of the component. */
  readonly clientCertificate?: string
  readonly clientKey?: string
}

export interface TlsSettings {
  readonly tls_dir: string
  readonly state_dir: string
  readonly trusted_client_ca: string
  readonly server_cert: string
  readonly server_key: string
  readonly client_cert?: string
  readonly client_key?: string
}

/** Where a component finds its TLS files: `generate` and `default` mean `cv_ca` below the state directory. */
export function tlsDirectoryOf(config: Pick<TlsSettings, 'tls_dir' | 'state_dir'>): string {
  const shared = config.tls_dir === 'generate' || config.tls_dir === 'default'
  return shared ? join(config.state_dir, 'cv_ca') : config.tls_dir
}

/** `default` is the directory's own file; any other relative name is relative to the directory too. */
function placeIn(directory: string, given: string, name: string): string {
  const chosen = given === 'default' ? name : given
  return isAbsolute(chosen) ? chosen : join(directory, chosen)
}

export function tlsPlacesOf(config: TlsSettings): TlsPlaces {
  const directory = tlsDirectoryOf(config)
  const place = (given: string, name: string) => placeIn(directory, given, name)
  const { client_cert, client_key } = config
  return {
    directory,
    trustedClientCa: place(config.trusted_client_ca, NAMES.ca),
    serverCertificate: place(config.server_cert, NAMES.serverCertificate),
    serverKey: place(config.server_key, NAMES.serverKey),
    ...(client_cert === undefined
      ? {}
      : { clientCertificate: place(client_cert, NAMES.verifierCertificate) }),
    ...(client_key === undefined ? {} : { clientKey: place(client_key, NAMES.verifierKey) }),
  }
}

/** The files that an administrator's client reads. */
export interface AdministratorPlaces {
  /** One or several certificates of authorities that servers may come from. */
  readonly trustedServerCa: string
  readonly clientCertificate: string
  readonly clientKey: string
}

interface AdministratorSettings {
  readonly tls_dir: string
  readonly state_dir: string
  readonly trusted_server_ca: string
  readonly client_cert: string
  readonly client_key: string
}

/** Where an administrator's client finds its files: `default` means those that the verifier made for the first administrator. */
export function administratorPlacesOf(config: AdministratorSettings): AdministratorPlaces {
  const directory = tlsDirectoryOf(config)
  return {
    trustedServerCa: placeIn(directory, config.trusted_server_ca, NAMES.ca),
    clientCertificate: placeIn(directory, config.client_cert, NAMES.adminCertificate),
    clientKey: placeIn(directory, config.client_key, NAMES.adminKey),
  }
}
