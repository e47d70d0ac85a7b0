import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { JsonGeneralName } from '@peculiar/x509'
import { StartFault } from '../errors.ts'
import type { Authority } from './authority.ts'
import { type CaFiles, ensureCaDirectory } from './ca-directory.ts'
import { FIRST_ADMINISTRATOR, NAMES } from './tls-names.ts'

interface DirectoryRequest {
  readonly directory: string
  /** Host names and addresses of the servers, in addition to those of this machine. */
  readonly hosts: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Makes the CA, the server certificate, the client certificates of the administrator and of the verifier,
 * and a separate CA for revocation, unless the directory has a CA already (interface document,
 * "Default (development) configuration").
 *
 * @throws {StartFault} the directory holds something, but no CA; or it cannot be written
 */
export async function ensureTlsDirectory(request: DirectoryRequest): Promise<void> {
  await ensureCaDirectory({
    directory: request.directory,
    called: 'TLS directory',
    elsewhere: 'name a directory that can be written with --set state_dir=DIRECTORY',
    make: () => makeFiles(request),
  })
}

/** What makes certificates is loaded here, as most starts find them made. */
async function makeFiles({ hosts, now }: DirectoryRequest): Promise<CaFiles> {
  const { CLIENT_AUTH, createAuthority } = await import('./authority.ts')
  const authority = await createAuthority('Assay development CA', now)
  const revocation = await createAuthority('Assay revocation CA', now)
  const server = await issueServer(authority, hosts)
  const client = (commonName: string) => authority.issue({ commonName, usage: CLIENT_AUTH })
  const admin = await client(FIRST_ADMINISTRATOR)
  const verifier = await client('verifier')
  return {
    [NAMES.ca]: authority.certificate,
    [NAMES.caKey]: authority.key,
    [NAMES.serverCertificate]: server.certificate,
    [NAMES.serverKey]: server.key,
    [NAMES.adminCertificate]: admin.certificate,
    [NAMES.adminKey]: admin.key,
    [NAMES.verifierCertificate]: verifier.certificate,
    [NAMES.verifierKey]: verifier.key,
    [NAMES.revocationCa]: revocation.certificate,
    [NAMES.revocationCaKey]: revocation.key,
  }
}

async function issueServer(authority: Authority, hosts: readonly string[]) {
  const { SERVER_AUTH } = await import('./authority.ts')
  const own = ['localhost', '127.0.0.1', '::1', hostname()]
  return authority.issue({
    commonName: 'server',
    usage: SERVER_AUTH,
    hosts: [...new Set([...own, ...hosts])].map(generalName),
  })
}

const DNS_NAME =
  /^(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i

function generalName(value: string): JsonGeneralName {
  if (isIP(value) !== 0) return { type: 'ip', value }
  if (DNS_NAME.test(value) && value.length <= 253) return { type: 'dns', value }
  throw new StartFault(
    `no certificate can be made for ${JSON.stringify(value)}: it is neither a host name nor an address`,
    'correct ip or cert_subject_alternative_names, which takes names and addresses with commas between them',
  )
}
