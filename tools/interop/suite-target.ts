import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { World } from './world.ts'

/** A server of the release as it is judged. */
export interface SuiteSubject {
  readonly id: string
  readonly role: 'verifier' | 'registrar'
  readonly versions: readonly string[]
  /** State of the verifier, with the authority of all. */
  readonly directory: string
  readonly verifier: number
  readonly capabilities: readonly string[]
  /** Beyond what all of the release speak. */
  readonly dialect?: Readonly<Record<string, string>>
}

/** The forms of evidence that its verify/evidence reads, as its source says. */
const READ = {
  'rsa-signatures': 'rsassa',
  'quoted-banks': 'one',
  'quoted-ima-pcr': 'with-list',
  'ima-templates': 'plain',
  'ima-names': 'one-line',
  'runtime-policy-keys': 'unread',
}

/** A scenario asks many agents one after the other, on machines of all kinds. */
const TIME = {
  quote_interval: '2s',
  verdict_within: '20s',
  request_within: '30s',
  scenario_within: '5m',
  recovery_within: '3m',
}

/** Writes the target file by which anyone would have it judged; the servers run already. */
export function writeTarget({ places, run }: World, subject: SuiteSubject): string {
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
