import { readFileSync } from 'node:fs'
import { parse } from 'ini'
import {
  API_VERSIONS,
  type ApiVersion,
  DOCUMENTED_VERSIONS,
  parseVersions,
} from './api/versions.ts'
import { StartFault } from './errors.ts'

export type Component = 'registrar' | 'verifier'

type Value = string | number | boolean | readonly ApiVersion[]

interface Setting<T> {
  readonly fallback: T
  readonly read: (text: string) => T | undefined
  readonly wants: string
  readonly about: string
}

const text = (fallback: string, about: string): Setting<string> => ({
  fallback,
  read: (value) => value,
  wants: 'a text',
  about,
})

const integer = (
  fallback: number,
  least: number,
  most: number,
  about: string,
): Setting<number> => ({
  fallback,
  read: (value) => {
    const number = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN
    return number >= least && number <= most ? number : undefined
  },
  wants: `a whole number from ${least} to ${most}`,
  about,
})

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

const flag = (fallback: boolean, about: string): Setting<boolean> => ({
  fallback,
  read: (value) => FLAGS.get(value.toLowerCase()),
  wants: 'True or False',
  about,
})

const oneOf = <const T extends string>(values: readonly T[], about: string): Setting<T> => ({
  fallback: values[0] as T,
  read: (value) => values.find((known) => known === value),
  wants: `one of ${values.join(', ')}`,
  about,
})

const versions = (
  fallback: readonly ApiVersion[],
  about: string,
): Setting<readonly ApiVersion[]> => ({
  fallback,
  read: parseVersions,
  wants: `a list with commas of ${API_VERSIONS.join(', ')}`,
  about,
})

/** A setting whose part of the component may be left out. */
const orOff = (setting: Setting<number>): Setting<number | 'off'> => ({
  fallback: 'off',
  read: (value) => (value === 'off' ? value : setting.read(value)),
  wants: `off, or ${setting.wants}`,
  about: setting.about,
})

const COMMON = {
  api_versions: versions(DOCUMENTED_VERSIONS, 'versions of the API that are listed and served'),
  ip: text('127.0.0.1', 'address to listen on'),
  state_dir: text('assay-state', 'directory of the database and of the CA'),
  max_upload_size: integer(104_857_600, 1024, 1_073_741_824, 'largest request body in bytes'),
  authorization_provider: text('simple', 'who decides what an identity may do'),
  max_header_size: integer(16_384, 1024, 1_048_576, 'largest head of a request in bytes'),
  max_connections: integer(2048, 4, 100_000, 'connections at the same time'),
  max_connections_per_address: integer(1024, 1, 100_000, 'of these, from one address'),
  handshake_timeout: integer(10, 1, 600, 'seconds a TLS handshake may take'),
  header_timeout: integer(20, 1, 600, 'seconds the head of a request may take'),
  request_timeout: integer(120, 1, 86_400, 'seconds a whole request may take'),
  trusted_client_ca: text('default', 'CA certificates that clients may be of, one PEM file'),
  server_cert: text('default', "server certificate; default takes tls_dir's"),
  server_key: text('default', "its private key; default takes tls_dir's"),
  log_level: oneOf(['info', 'debug', 'warn', 'error', 'silent'], 'what goes to the log on stdout'),
}

const SETTINGS = {
  registrar: {
    ...COMMON,
    port: integer(8891, 0, 65_535, 'TLS port; 0 takes a free one'),
    tls_dir: text('default', "default takes the verifier's directory, or name another"),
    database: text(
      'registrar.sqlite',
      'SQLite file below state_dir, :memory:, or a postgres:// URL',
    ),
    http_port: orOff(integer(8890, 0, 65_535, 'port without TLS, for agents; 8890 is usual')),
    tpm_cert_store: text('', 'makers of TPMs: directories of *.pem and PEM files, by commas'),
    require_ek_cert: flag(false, 'refuse an endorsement key without a certificate'),
    malformed_cert_action: oneOf(
      ['warn', 'ignore', 'reject'],
      'what becomes of a certificate that is not strict DER',
    ),
    tpm_identity: oneOf(
      ['default', 'ek_cert_or_iak_idevid', 'ek_cert', 'iak_idevid'],
      'certificates without which nobody registers',
    ),
  },
  verifier: {
    ...COMMON,
    port: integer(8881, 0, 65_535, 'TLS port; 0 takes a free one'),
    tls_dir: text('generate', 'generate makes a CA, default takes the one there, or name another'),
    client_cert: text('default', 'client certificate the verifier shows to agents'),
    client_key: text('default', "its private key; default takes tls_dir's"),
    cert_subject_alternative_names: text('', 'more hosts of the generated certificate, by commas'),
    registrar_ip: text(
      '127.0.0.1',
      'where the registrar is, for agents that are added without a key',
    ),
    registrar_port: integer(8891, 1, 65_535, 'its TLS port'),
    database: text(
      'verifier.sqlite',
      'SQLite file below state_dir, :memory:, or a postgres:// URL',
    ),
    quote_interval: integer(2, 1, 86_400, 'seconds between two attestations'),
    early_capabilities: oneOf(
      ['accept', 'refuse'],
      'what becomes of an agent that comes before its interval is over',
    ),
    verification_timeout: integer(
      0,
      0,
      86_400,
      'seconds for which an evaluation in hand holds up the next attestation',
    ),
    challenge_lifetime: integer(1800, 1, 86_400, 'seconds an attestation challenge lives'),
    nonce_lifetime: integer(60, 1, 86_400, 'seconds a session challenge lives'),
    open_sessions: integer(32_768, 1, 10_000_000, 'session challenges that wait, in all'),
    open_sessions_per_agent: integer(
      1024,
      1,
      10_000_000,
      'session challenges that wait, of an agent',
    ),
    session_lifetime: integer(180, 1, 31_536_000, 'seconds a token lives'),
    extend_token_on_attestation: flag(true, 'a passing attestation extends the token'),
    evidence_kept: integer(67_108_864, 0, 1_073_741_824, 'evidence kept of an agent, in bytes'),
    evaluation_limit: integer(10, 1, 3600, 'seconds of work one evaluation may take'),
    metrics_port: orOff(integer(9881, 0, 65_535, 'port of metrics, without TLS, on loopback')),
    evaluation_workers: integer(2, 1, 64, 'threads that evaluate evidence'),
    evaluations_waiting: integer(256, 0, 100_000, 'requests that may wait for one of them'),
    ignore_tomtou_errors: flag(false, 'accept IMA violation entries'),
    require_allow_list_signatures: flag(false, 'refuse a runtime policy that nobody signed'),
    verifier_id: text('default', 'name of this verifier'),
  },
} satisfies Record<Component, Record<string, Setting<Value>>>

export type CommonConfig = Values<typeof COMMON>
type Values<S> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never }
export type RegistrarConfig = Values<(typeof SETTINGS)['registrar']>
export type VerifierConfig = Values<(typeof SETTINGS)['verifier']>
export interface Configs {
  readonly registrar: RegistrarConfig
  readonly verifier: VerifierConfig
}

/**
 * Reads the settings of one component: its section of an INI file, then `name=value` words of the
 * command line over it. An unknown name or an unusable value is a `StartFault` that names it.
 */
export function loadConfig<C extends Component>(
  component: C,
  file: string | undefined,
  assignments: readonly string[],
): Configs[C] {
  const given = { ...sectionOf(component, file), ...parseAssignments(assignments) }
  const settings: Record<string, Setting<Value>> = SETTINGS[component]
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(settings, name)) {
      throw new StartFault(
        `${component} has no setting called ${name}`,
        `its settings are ${Object.keys(settings).join(', ')}`,
      )
    }
  }
  const values = Object.entries(settings).map(([name, setting]) => [
    name,
    readSetting(component, name, setting, given[name]),
  ])
  return Object.fromEntries(values) as Configs[C]
}

function readSetting<T>(component: string, name: string, setting: Setting<T>, given?: string): T {
  if (given === undefined) return setting.fallback
  const value = setting.read(given)
  if (value !== undefined) return value
  throw new StartFault(
    `${component} setting ${name} is ${JSON.stringify(given)}: it takes ${setting.wants}`,
  )
}

function sectionOf(component: Component, file: string | undefined): Record<string, string> {
  if (file === undefined) return {}
  try {
    const sections: Record<string, unknown> = parse(readFileSync(file, 'utf8'))
    return Object.fromEntries(
      Object.entries(sections[component] ?? {}).map(([name, value]) => [name, String(value)]),
    )
  } catch (cause) {
    throw new StartFault(
      `the configuration file ${file} cannot be read`,
      'check the path given with --config',
      cause,
    )
  }
}

function parseAssignments(assignments: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    assignments.map((assignment) => {
      const at = assignment.indexOf('=')
      if (at < 1)
        throw new StartFault(
          `--set ${withoutPassword(assignment)} has no value`,
          'write it as --set name=value',
        )
      return [assignment.slice(0, at), assignment.slice(at + 1)]
    }),
  )
}

/** A URL of a database may have come alone. */
function withoutPassword(text: string): string {
  return text.replace(/:[^:/@]*@/, ':…@')
}
