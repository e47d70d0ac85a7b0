import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { InteropEnvironment } from './environment.ts'

/** A server of the release as the subject of the suite. */
export interface SuiteSubject {
  readonly id: string
  readonly role: 'verifier' | 'registrar'
  readonly versions: readonly string[]
  /** State directory of the verifier, with the CA of all servers. */
  readonly directory: string
  readonly verifier: number
  readonly capabilities: readonly string[]
  /** Additional dialect values of this server. */
  readonly dialect?: Readonly<Record<string, string>>
}

/** Forms of evidence that Keylime's verify/evidence accepts, according to its source. */
const READ = {
  'rsa-signatures': 'rsassa',
  'quoted-banks': 'one',
  'quoted-ima-pcr': 'with-list',
  'ima-templates': 'plain',
  'ima-names': 'one-line',
  'runtime-policy-keys': 'unread',
}

/** Dialect of a polling verifier, which requires the address of an agent. */
export const POLLED_AGENTS = { 'agent-address': 'given' }

/** Generous limits: the servers handle agents one after the other, and the machine may be slow. */
const TIME = {
  quote_interval: '2s',
  verdict_within: '45s',
  request_within: '30s',
  scenario_within: '5m',
  recovery_within: '3m',
}

/** Writes a target file for servers that already run, and returns its path. */
export function writeTarget({ places, run }: InteropEnvironment, subject: SuiteSubject): string {
  const { id, versions, capabilities, directory, verifier } = subject
  const certificate = (name: string) => join(directory, 'cv_ca', name)
  const file = join(run.path, `${id}.target.yaml`)
  const document = {
    name: `Keylime, ${id}`,
    versions,
    capabilities,
    roles: {
      verifier: { url: `https://127.0.0.1:${verifier}` },
      registrar: {
        url: `https://127.0.0.1:${places.ports.registrar}`,
        http: `http://127.0.0.1:${places.ports.registrarHttp}`,
      },
    },
    dialect: { base: 'keylime', ...READ, ...subject.dialect },
    profile: 'keylime',
    tls: {
      ca: certificate('cacert.crt'),
      admin: {
        certificate: certificate('client-cert.crt'),
        key: certificate('client-private.pem'),
      },
    },
    time: TIME,
  }
  writeFileSync(file, stringify(document))
  return file
}
