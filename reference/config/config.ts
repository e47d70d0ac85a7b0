import { readFileSync } from 'node:fs'
import { parse } from 'ini'
import { DOCUMENTED_VERSIONS } from '../api/versions.ts'
import { StartFault } from '../errors.ts'
import { BOOT_POLICIES } from '../evidence/uefi/policy/boot-policy.ts'
import { AGENT_SETTINGS } from './agent-settings.ts'
import { POLL_SETTINGS } from './poll-settings.ts'
import { PUSH_AGENT_SETTINGS } from './push-agent-settings.ts'
import {
  flag,
  integer,
  names,
  oneOf,
  orOff,
  type Setting,
  text,
  type Value,
  type Values,
  versions,
} from './setting-kinds.ts'

export type Component = 'registrar' | 'verifier' | 'agent' | 'push-agent' | 'tenant'

const LISTENING = {
  ip: text('127.0.0.1', 'address to listen on'),
  state_dir: text('assay-state', 'directory of the database and of the CA'),
  max_upload_size: integer(104_857_600, 1024, 1_073_741_824, 'largest request body in bytes'),
  max_header_size: integer(16_384, 1024, 1_048_576, 'largest head of a request in bytes'),
  max_public_bodies: integer(
    16_777_216,
    1024,
    1_073_741_824,
    'bytes of large request bodies without a credential at the same time',
  ),
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

/** Where the hosts of agents with virtual TPMs are registered (docs/deep-quotes.md). */
const PROVIDER = {
  provider_registrar_ip: text(
    '',
    "where the provider's registrar is, which knows the hosts of virtual TPMs",
  ),
  provider_registrar_port: integer(8891, 1, 65_535, 'its TLS port'),
}

const COMMON = {
  api_versions: versions(DOCUMENTED_VERSIONS, 'versions of the API that are listed and served'),
  ...LISTENING,
  authorization_provider: text('simple', 'provider that decides what an identity may do'),
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
    client_cert: text('default', "client certificate that it shows to the provider's registrar"),
    client_key: text('default', "its private key; default takes tls_dir's"),
    ...PROVIDER,
    http_port: orOff(integer(8890, 0, 65_535, 'port without TLS, for agents; 8890 is usual')),
    tpm_cert_store: text('', 'makers of TPMs: directories of *.pem and PEM files, by commas'),
    require_ek_cert: flag(false, 'refuse an endorsement key without a certificate'),
    malformed_cert_action: oneOf(
      ['warn', 'ignore', 'reject'],
      'treatment of a certificate that is not strict DER',
    ),
    tpm_identity: oneOf(
      ['default', 'ek_cert_or_iak_idevid', 'ek_cert', 'iak_idevid'],
      'certificates that a registration needs',
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
    ...PROVIDER,
    database: text(
      'verifier.sqlite',
      'SQLite file below state_dir, :memory:, or a postgres:// URL',
    ),
    quote_interval: integer(2, 1, 86_400, 'seconds between two attestations'),
    early_capabilities: oneOf(
      ['accept', 'refuse'],
      'treatment of an agent that comes before its interval is over',
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
    evidence_kept: integer(
      67_108_864,
      0,
      1_073_741_824,
      'evidence kept of an agent, in bytes; older attestations are removed',
    ),
    evaluation_limit: integer(10, 1, 3600, 'seconds of CPU time one evaluation may take'),
    metrics_port: orOff(integer(9881, 0, 65_535, 'port of metrics, without TLS, on loopback')),
    evaluation_workers: integer(2, 1, 64, 'threads that evaluate evidence of agents'),
    public_evaluation_workers: integer(
      1,
      1,
      64,
      'threads of lower priority that evaluate what needs no credential',
    ),
    evaluations_waiting: integer(256, 0, 100_000, 'requests that may wait for one of either'),
    ignore_tomtou_errors: flag(false, 'accept IMA violation entries'),
    measured_boot_policy_name: oneOf(
      BOOT_POLICIES.map(({ name }) => name),
      'policy for boot logs, with the reference state of an agent',
    ),
    require_allow_list_signatures: flag(false, 'refuse an unsigned runtime policy'),
    tee_cert_store: text(
      '',
      'makers of processors with SEV-SNP: directories of *.pem and PEM files, by commas',
    ),
    tee_allow_debug: flag(false, 'accept reports of guests that the host may debug'),
    verifier_id: text('default', 'name of this verifier'),
    ...POLL_SETTINGS,
  },
  tenant: {
    api_versions: versions(DOCUMENTED_VERSIONS, 'versions of the API that it uses'),
    state_dir: text('assay-state', "directory of the verifier, with the CA's"),
    tls_dir: text('default', "default takes the verifier's directory, or name another"),
    trusted_server_ca: text('default', 'CA certificates that servers may be of, one PEM file'),
    client_cert: text('default', "the administrator's certificate; default takes tls_dir's"),
    client_key: text('default', "its private key; default takes tls_dir's"),
    verifier_ip: text('127.0.0.1', 'where the verifier is'),
    verifier_port: integer(8881, 1, 65_535, 'its TLS port'),
    registrar_ip: text('127.0.0.1', 'where the registrar is'),
    registrar_port: integer(8891, 1, 65_535, 'its TLS port'),
    request_timeout: integer(60, 1, 3600, 'seconds an answer may take'),
    max_retries: integer(5, 0, 100, 'how often it asks again'),
    retry_interval: integer(2, 0, 3600, 'seconds before it asks again'),
    exponential_backoff: flag(true, 'each wait is twice as long as the one before'),
    enable_agent_mtls: flag(true, 'refuse an agent that serves no TLS'),
    tpm_cert_store: text('', 'makers of TPMs: directories of *.pem and PEM files, by commas'),
    require_ek_cert: flag(
      true,
      'refuse an agent whose endorsement key has no certificate of a known maker',
    ),
    ek_check_script: text('', 'program that checks endorsement keys too, by its exit code'),
    max_payload_size: integer(1_048_576, 0, 104_857_600, 'largest payload in bytes'),
    accept_tpm_hash_algs: names(['sha512', 'sha384', 'sha256'], 'hashes that a TPM may use'),
    accept_tpm_encryption_algs: names(
      ['ecc', 'ecc384', 'ecc521', 'rsa', 'rsa3072', 'rsa4096'],
      'kinds of attestation keys',
    ),
    accept_tpm_signing_algs: names(['rsassa', 'rsapss', 'ecdsa'], 'schemes of signatures'),
    web_ip: text('127.0.0.1', 'address that the web application listens on'),
    web_port: integer(8443, 0, 65_535, 'its TLS port; 0 takes a free one'),
    web_trusted_client_ca: text('default', 'CA certificates of its clients, one PEM file'),
    web_server_cert: text('default', "its server certificate; default takes tls_dir's"),
    web_server_key: text('default', "its private key; default takes tls_dir's"),
    web_ca_dir: text('default', 'directory of CAs of agents; default: web-ca below state_dir'),
    log_level: LISTENING.log_level,
  },
  agent: { ...LISTENING, ...AGENT_SETTINGS, ...PROVIDER },
  'push-agent': PUSH_AGENT_SETTINGS,
} satisfies Record<Component, Record<string, Setting<Value>>>
export type RegistrarConfig = Values<(typeof SETTINGS)['registrar']>
export type VerifierConfig = Values<(typeof SETTINGS)['verifier']>
export type TenantConfig = Values<(typeof SETTINGS)['tenant']>
export type AgentConfig = Values<(typeof SETTINGS)['agent']>
export type PushAgentConfig = Values<(typeof SETTINGS)['push-agent']>
/** What every component that listens has. */
export type ListeningConfig = Values<typeof LISTENING>
interface Configs {
  readonly registrar: RegistrarConfig
  readonly verifier: VerifierConfig
  readonly agent: AgentConfig
  readonly 'push-agent': PushAgentConfig
  readonly tenant: TenantConfig
}

/** Names of a component's settings, and what each is about. */
export function settingsOf(component: Component): Readonly<Record<string, Setting<Value>>> {
  return SETTINGS[component]
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
  const settings = settingsOf(component)
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
    `assay ${component} --help lists the settings`,
  )
}

function sectionOf(component: Component, file: string | undefined): Record<string, string> {
  if (file === undefined) return {}
  const sections = readSections(file)
  const [unknown] = Object.keys(sections).filter((name) => !Object.hasOwn(SETTINGS, name))
  if (unknown !== undefined) {
    const isSection = typeof sections[unknown] === 'object'
    throw new StartFault(
      isSection
        ? `the configuration file ${file} has a section [${unknown}], which no component reads`
        : `the configuration file ${file} has ${unknown} in no section`,
      `its sections are ${Object.keys(SETTINGS).join(', ')}`,
    )
  }
  const own = Object.entries(sections[component] ?? {})
  return Object.fromEntries(own.map(([name, value]) => [name, String(value)]))
}

function readSections(file: string): Readonly<Record<string, unknown>> {
  try {
    return parse(readFileSync(file, 'utf8'))
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
