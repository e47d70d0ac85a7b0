import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { StartFault } from '../errors.ts'
import { CLIENT_AUTH, createAuthority, SERVER_AUTH } from './authority.ts'

/** What a server needs for its TLS interface, all PEM. */
export interface TlsFiles {
  readonly ca: string
  readonly certificate: string
  readonly key: string
}

const FILES = {
  ca: 'cacert.crt',
  certificate: 'server-cert.crt',
  key: 'server-private.pem',
  clientCertificate: 'client-cert.crt',
  clientKey: 'client-private.pem',
} as const

/** Where a component finds its TLS files: `generate` and `default` mean `cv_ca` below the state directory. */
export function tlsDirectoryOf(config: {
  readonly tls_dir: string
  readonly state_dir: string
}): string {
  const shared = config.tls_dir === 'generate' || config.tls_dir === 'default'
  return shared ? join(config.state_dir, 'cv_ca') : config.tls_dir
}

/**
 * Makes the CA, one server certificate and the administrator's client certificate (common name
 * `client`) in `directory`, unless a CA stands there already (interface document, "Default
 * (development) configuration"). Private keys are readable by their owner only; the CA's own is not
 * kept. The CA certificate is written last, so a directory that has it is complete.
 */
export async function ensureTlsDirectory(
  directory: string,
  listensAt: string,
  now: number,
): Promise<void> {
  if (existsSync(join(directory, FILES.ca))) return
  const authority = await createAuthority('Assay development CA', now)
  const server = await authority.issue({
    commonName: 'server',
    usage: SERVER_AUTH,
    hosts: [...new Set(['localhost', hostname(), '127.0.0.1', '::1', listensAt])].map((value) => ({
      type: isIP(value) === 0 ? 'dns' : 'ip',
      value,
    })),
  })
  const client = await authority.issue({ commonName: 'client', usage: CLIENT_AUTH })
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  removeLeftovers(directory)
  writeSecret(join(directory, FILES.key), server.key)
  writeSecret(join(directory, FILES.clientKey), client.key)
  writeFileSync(join(directory, FILES.certificate), server.certificate)
  writeFileSync(join(directory, FILES.clientCertificate), client.certificate)
  writeFileSync(join(directory, FILES.ca), authority.certificate)
}

export function loadTlsFiles(directory: string): TlsFiles {
  const read = (name: string): string => {
    try {
      return readFileSync(join(directory, name), 'utf8')
    } catch (cause) {
      throw new StartFault(
        `the TLS directory ${directory} has no readable ${name}`,
        'start the verifier first (it makes the directory), or name another with --set tls_dir=DIRECTORY',
        cause,
      )
    }
  }
  return { ca: read(FILES.ca), certificate: read(FILES.certificate), key: read(FILES.key) }
}

/** What an interrupted start left: a file that is there already would keep its mode. */
function removeLeftovers(directory: string): void {
  for (const name of Object.values(FILES)) rmSync(join(directory, name), { force: true })
}

function writeSecret(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 })
}
