import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { createAuthority, SERVER_AUTH } from '../../../pki/authority.ts'
import { freePort } from '../free-port.ts'

/** A PostgreSQL of the tests' own, on a loopback port, that keeps nothing. */
export interface PostgresCluster {
  readonly port: number
  /** PEM of the CA that its certificate, for 127.0.0.1, is of. */
  readonly ca: string
  /** Makes an empty database; gives its URL, with the password. */
  createDatabase(): Promise<string>
  /** Asks as the owner of the cluster. */
  ask(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Ends the server, whose connections break, and starts it again at the same port when that is done. */
  interrupt(meanwhile: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

const DEBIAN = '/usr/lib/postgresql'
const OWNER = 'assay'
const DEADLINE = 30_000

/** Debian keeps the programs of each version apart from PATH. */
function programsOf(): string | undefined {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted().reverse() : []
  const directories = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...debian.map((version) => join(DEBIAN, version, 'bin')),
  ]
  return directories.find((directory) => existsSync(join(directory, 'initdb')))
}

/** Whether there is a PostgreSQL server here to start. */
export const HAS_POSTGRES = programsOf() !== undefined

interface Account {
  readonly uid?: number
  readonly gid?: number
}

/** PostgreSQL refuses to run as root; the package brings an account for it. */
function accountOf(): Account {
  if (process.getuid?.() !== 0) return {}
  const [line] = readFileSync('/etc/passwd', 'utf8').match(/^postgres:.*$/m) ?? []
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined || gid === undefined)
    throw new Error('root cannot run PostgreSQL, and there is no account called postgres')
  return { uid: Number(uid), gid: Number(gid) }
}

/** Ends the server when the pipe from us ends, so that it does not outlive a run that is killed. */
const SUPERVISED = '"$@" </dev/null & server=$!; read -r _; kill -INT "$server"; wait "$server"'

/** The default collation does not sort texts by their bytes. */
const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US']

const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'unix_socket_directories=',
  'listen_addresses=127.0.0.1',
]

/** The data for starting a server, also after a stop. */
interface Home {
  readonly programs: string
  readonly directory: string
  readonly account: Account
  readonly port: number
  readonly password: string
}

export async function startPostgres(): Promise<PostgresCluster> {
  const programs = programsOf()
  if (programs === undefined) throw new Error('there is no PostgreSQL server here')
  const home: Home = {
    ...{ programs, account: accountOf(), port: await freePort() },
    directory: mkdtempSync(join(tmpdir(), 'assay-postgres-')),
    password: randomBytes(16).toString('hex'),
  }
  try {
    const ca = await initialize(home)
    return clusterOf(home, ca, await serve(home))
  } catch (error) {
    remove(home)
    throw error
  }
}

function clusterOf(home: Home, ca: string, first: Server): PostgresCluster {
  let server = first
  let made = 0
  const ask = (sql: string) => askPostgres(urlOf(home, 'postgres'), sql)
  return {
    ...{ port: home.port, ca, ask },
    async createDatabase() {
      const name = `assay_${made++}`
      await ask(`create database ${name}`)
      return urlOf(home, name)
    },
    async interrupt(meanwhile) {
      await server.stop()
      await meanwhile()
      server = await serve(home)
    },
    async stop() {
      await server.stop()
      remove(home)
    },
  }
}

function urlOf({ password, port }: Home, database: string): string {
  return `postgres://${OWNER}:${password}@127.0.0.1:${port}/${database}`
}

function remove({ directory }: Home): void {
  rmSync(directory, { recursive: true, force: true })
}

/** Makes the files of a cluster; gives the certificate of the CA that its own is of. */
async function initialize(home: Home): Promise<string> {
  const { programs, directory, account } = home
  give(home, directory)
  const [password] = writeOwned(home, { password: home.password })
  const words = ['-U', OWNER, `--pwfile=${password}`, '--auth=scram-sha-256', '--no-sync']
  await promisify(execFile)(
    join(programs, 'initdb'),
    ['-D', join(directory, 'data'), ...words, ...LOCALE],
    { ...account, cwd: directory, env: { PATH: process.env['PATH'] } },
  )
  const authority = await createAuthority('PostgreSQL of a test', Date.now())
  const { certificate, key } = await authority.issue({
    commonName: 'PostgreSQL',
    usage: SERVER_AUTH,
    hosts: [{ type: 'ip', value: '127.0.0.1' }],
  })
  writeOwned(home, { 'server.crt': certificate, 'server.key': key })
  return authority.certificate
}

function writeOwned(home: Home, texts: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(texts).map(([name, text]) => {
    const path = join(home.directory, name)
    writeFileSync(path, text, { mode: 0o600 })
    give(home, path)
    return path
  })
}

function give({ account: { uid, gid } }: Home, path: string): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}

interface Server {
  stop(): Promise<void>
}

async function serve(home: Home): Promise<Server> {
  const { programs, directory, port, account } = home
  const words = ['-D', join(directory, 'data'), '-p', String(port)]
  const files = ['cert_file=server.crt', 'key_file=server.key']
  const tls = files.map((file) => `ssl_${file.replace('=', `=${directory}/`)}`)
  const settings = [...SETTINGS, 'ssl=on', ...tls].flatMap((setting) => ['-c', setting])
  const child = spawn(
    '/bin/sh',
    ['-c', SUPERVISED, 'sh', join(programs, 'postgres'), ...words, ...settings],
    {
      ...account,
      cwd: directory,
      env: { PATH: process.env['PATH'] },
      stdio: ['pipe', 'ignore', 'pipe'],
    },
  )
  const log: string[] = []
  child.stderr.on('data', (chunk: Buffer) => log.push(chunk.toString()))
  const stop = async () => {
    if (child.exitCode !== null) return
    child.stdin.end()
    await once(child, 'exit')
  }
  try {
    await untilItAnswers(urlOf(home, 'postgres'))
  } catch (cause) {
    await stop()
    throw new Error(`PostgreSQL did not start: ${log.join('')}`, { cause })
  }
  return { stop }
}

async function untilItAnswers(url: string): Promise<void> {
  const deadline = Date.now() + DEADLINE
  for (;;) {
    try {
      await askPostgres(url, 'select 1')
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await pause(50)
    }
  }
}

/** Asks one thing over a connection of its own. */
export async function askPostgres(
  connectionString: string,
  sql: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
