import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Credential, makeAuthority, makeCertificate } from '../../simulator/x509/factory.ts'
import { CLIENT_AUTH, SERVER_AUTH } from '../../simulator/x509/recipes.ts'
import type { Credentials } from '../client/identity.ts'
import { harnessFiles } from '../target/harness-files.ts'

/** The CA of the server components that the harness simulates, and its certificates. */
export interface HarnessAuthority {
  /** CA certificate and key. */
  readonly issuer: Credential
  /** Client credentials of the harness as verifier or tenant. */
  readonly admin: Credentials
  /** Certificate and key of the simulated servers at 127.0.0.1. */
  readonly server: Credential
  readonly files: ReturnType<typeof harnessFiles>
}

/** Makes the CA of one run, and writes it to the files that target files refer to. */
export async function makeHarnessAuthority(run: string): Promise<HarnessAuthority> {
  const now = Date.now()
  const issuer = await makeAuthority('Server components of the harness', now)
  const issue = (recipe: Parameters<typeof makeCertificate>[0]) =>
    makeCertificate(recipe, issuer, now)
  const [admin, server] = await Promise.all([
    issue({ commonName: 'client', usages: [CLIENT_AUTH] }),
    issue({ commonName: 'server', usages: [SERVER_AUTH], addresses: ['127.0.0.1'] }),
  ])
  const files = harnessFiles(run)
  mkdirSync(dirname(files.ca), { recursive: true })
  write(files.issuer, issuer)
  write(files.admin, admin)
  write(files.server, server)
  return {
    issuer,
    server,
    files,
    admin: {
      name: 'harness',
      certificate: { cert: admin.certificate, key: admin.key, subject: 'CN=client' },
    },
  }
}

function write(files: { readonly certificate: string; readonly key: string }, made: Credential) {
  writeFileSync(files.certificate, made.certificate)
  writeFileSync(files.key, made.key, { mode: 0o600 })
}
