import { isAbsolute, join, resolve } from 'node:path'
import { SetupFault } from '../../input/fault.ts'
import type { Component, Setting, Settings } from './read-settings.ts'

/** What the configuration of an installation says about its target file. */
export interface ConfiguredAnswers {
  readonly verifier?: string
  readonly registrar?: string
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  /** URL of the registrar's HTTP port. */
  readonly http?: string
  /** Whether the verifier polls agents, or agents come to it: it does one of the two. */
  readonly mode?: 'pull' | 'push'
  /** Keys of `time`, with their durations. */
  readonly time: Readonly<Record<string, string>>
}

export type Installation = Readonly<Partial<Record<Component, Settings>>>

/** An option, in the words of a message. */
function placeOf(component: Component, option: string, { file, line }: Setting): string {
  return `${option} in [${component}] of ${file}, line ${line},`
}

function refuse(place: string, why: string, next: string): never {
  throw new SetupFault(`${place} ${why}`, { next })
}

class Reader {
  readonly #settings: Settings
  /** The options that were asked for, whether or not the files have them. */
  readonly asked = new Set<string>()

  constructor(settings: Settings) {
    this.#settings = settings
  }

  get component(): Component {
    return this.#settings.component
  }

  text(option: string): string | undefined {
    this.asked.add(option)
    return this.#settings.options.get(option)?.value
  }

  place(option: string): string {
    const setting = this.#settings.options.get(option)
    if (setting === undefined) return `${option} in [${this.component}]`
    return placeOf(this.component, option, setting)
  }

  port(option: string): number | undefined {
    const text = this.text(option)
    if (text === undefined) return undefined
    if (/^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536) return Number(text)
    return refuse(
      this.place(option),
      `is ${JSON.stringify(text)}, expected a port`,
      'correct the file',
    )
  }

  /** A number of seconds as a duration of a target file. */
  duration(option: string): string | undefined {
    const text = this.text(option)
    if (text === undefined) return undefined
    const ms = /^\d+(\.\d+)?$/.test(text) ? Math.round(Number(text) * 1000) : 0
    if (ms > 0) return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`
    return refuse(
      this.place(option),
      `is ${JSON.stringify(text)}, expected a number of seconds above 0`,
      'correct the file',
    )
  }

  mode(): 'pull' | 'push' | undefined {
    const text = this.text('mode')
    if (text === undefined || text === 'pull' || text === 'push') return text
    return refuse(
      this.place('mode'),
      `is ${JSON.stringify(text)}, expected pull or push`,
      'correct the file',
    )
  }

  host(option: string): string | undefined {
    const text = this.text(option)
    if (text === undefined || text === '') return undefined
    if (EVERY_ADDRESS.has(text)) return EVERY_ADDRESS.get(text)
    const host = text.includes(':') ? `[${text}]` : text
    if (URL.canParse(`https://${host}:1`)) return host
    return refuse(
      this.place(option),
      `is ${JSON.stringify(text)}, expected an address or a name`,
      'correct the file',
    )
  }
}

/** Where a server that listens on every address is reached from this machine. */
const EVERY_ADDRESS: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
])

function urlOf(
  reader: Reader | undefined,
  host: string,
  port: string,
  scheme = 'https',
): string | undefined {
  const [name, number] = [reader?.host(host), reader?.port(port)]
  return name === undefined || number === undefined ? undefined : `${scheme}://${name}:${number}`
}

/** The directory of the certificates of an administrator; Keylime's tenant and verifier share it by default. */
function directoryOf(reader: Reader, stateDirectory: string): string {
  const text = reader.text('tls_dir') ?? 'default'
  if (text === 'default' || text === 'generate' || text === '') return join(stateDirectory, 'cv_ca')
  return isAbsolute(text) ? text : resolve(stateDirectory, text)
}

/** The names in a list such as `["ca.crt", 'other.crt']`, or in a plain one. */
function namesIn(text: string): readonly string[] {
  const inner = text.replace(/^\[|\]$/g, '')
  return inner
    .split(',')
    .map((name) => name.trim().replace(/^['"]|['"]$/g, ''))
    .filter((name) => name !== '')
}

function caOf(reader: Reader, directory: string, stateDirectory: string): string {
  const text = reader.text('trusted_server_ca') ?? 'default'
  if (text === 'default') return join(stateDirectory, 'cv_ca', 'cacert.crt')
  const by = '--ca with a PEM file that has the CA of the servers'
  const place = reader.place('trusted_server_ca')
  if (text === 'all' || text === '')
    refuse(place, 'trusts every server, and Assay needs a CA', `give ${by}`)
  const [first = '', ...more] = namesIn(text)
  if (more.length > 0)
    refuse(
      place,
      `names ${more.length + 1} files, and a target file has one`,
      `join them, and give ${by}`,
    )
  return resolve(directory, first)
}

function fileOf(reader: Reader, option: string, directory: string, name: string): string {
  const text = reader.text(option) ?? 'default'
  return text === 'default' || text === '' ? join(directory, name) : resolve(directory, text)
}

/** The certificate of an administrator, and the CA of the servers. */
function filesOf(
  reader: Reader,
  stateDirectory: string,
): Pick<ConfiguredAnswers, 'ca' | 'cert' | 'key'> {
  const directory = directoryOf(reader, stateDirectory)
  if ((reader.text('client_key_password') ?? '') !== '')
    refuse(
      reader.place('client_key_password'),
      'is set, and Assay reads keys without a password',
      'decrypt the key to a file that only you can read, and give it as --key, with --cert and --ca',
    )
  return {
    ca: caOf(reader, directory, stateDirectory),
    cert: fileOf(reader, 'client_cert', directory, 'client-cert.crt'),
    key: fileOf(reader, 'client_key', directory, 'client-private.pem'),
  }
}

function withoutUndefined<T extends object>(values: T): T {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as T
}

/** The keys of `time` that verifiers configure. */
const TIMES = [
  ['quote_interval', 'quote_interval'],
  ['token_lifetime', 'session_lifetime'],
  ['challenge_lifetime', 'challenge_lifetime'],
] as const

/**
 * Reads the answers from an installation. The tenant's file has precedence, because it says how an administrator reaches
 * the servers and with which certificate. `given` are the options that a person gave, which are not looked for.
 *
 * @param stateDirectory where Keylime keeps its state: `KEYLIME_DIR`, by default `/var/lib/keylime`
 * @throws {SetupFault} for a value that cannot be used, with its file, section and option
 */
export function answersOf(
  { verifier, registrar, tenant }: Installation,
  stateDirectory: string,
  given: ReadonlySet<string> = new Set(),
): { readonly answers: ConfiguredAnswers; readonly asked: ReadonlySet<string> } {
  const readers = new Map(
    [verifier, registrar, tenant].flatMap((one) =>
      one ? [[one.component, new Reader(one)] as const] : [],
    ),
  )
  const [ofVerifier, ofRegistrar, ofTenant] = [
    readers.get('verifier'),
    readers.get('registrar'),
    readers.get('tenant'),
  ]
  const owner = ofTenant ?? ofVerifier
  const needsFiles = ['ca', 'cert', 'key'].some((name) => !given.has(name))
  const times = TIMES.map(([key, option]) => [key, ofVerifier?.duration(option)] as const)
  const answers: ConfiguredAnswers = withoutUndefined({
    verifier: given.has('verifier')
      ? undefined
      : (urlOf(ofTenant, 'verifier_ip', 'verifier_port') ?? urlOf(ofVerifier, 'ip', 'port')),
    registrar: given.has('registrar')
      ? undefined
      : (urlOf(ofTenant, 'registrar_ip', 'registrar_port') ?? urlOf(ofRegistrar, 'ip', 'tls_port')),
    mode: ofVerifier?.mode(),
    http: given.has('registrar') ? undefined : urlOf(ofRegistrar, 'ip', 'port', 'http'),
    ...(owner && needsFiles ? filesOf(owner, stateDirectory) : {}),
    time: Object.fromEntries(times.filter(([, value]) => value !== undefined)),
  }) as ConfiguredAnswers
  const asked = [...readers.values()].flatMap((one) =>
    [...one.asked].map((option) => `${one.component}.${option}`),
  )
  return { answers, asked: new Set(asked) }
}
