import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { onTestFinished } from 'vitest'
import type { DoctorReport } from '../../preflight/finding.ts'
import {
  type IssueOptions,
  makeCa,
  type TestCa,
  temporaryDirectory,
} from '../../target/testing/test-support.ts'
import { doctorMain } from '../doctor.ts'

/** The reply of a fake: a status, and a body that is sent as JSON. */
export type Reply = readonly [status: number, body?: unknown]
export type Answering = (method: string, path: string, body: unknown) => Reply

export interface FakeOptions {
  readonly answering: Answering
  readonly certificate?: IssueOptions
  /** Seconds by which its clock is wrong. */
  readonly skew?: number
  readonly tls?: ServerOptions
}

const envelope = (results: unknown = {}) => ({ code: 200, status: 'Success', results })
const UNKNOWN: Reply = [404, { code: 404, status: 'Not Found', results: {} }]
const LISTED = ['2.5', '3.0']

export function listing(versions: readonly string[] = LISTED): Reply {
  return [200, envelope({ current_version: versions.at(-1), supported_versions: versions })]
}

/** Replies like a verifier to the requests of the doctor; `replies` overrides them by method and path. */
export function asVerifier(replies: Readonly<Record<string, Reply>> = {}): Answering {
  const known: Readonly<Record<string, Reply>> = {
    'GET /version': listing(),
    'GET /v2.5/allowlists/': [200, envelope({ runtimepolicy_names: [] })],
    'POST /v3/sessions': [400],
    ...replies,
  }
  return (method, path) => known[`${method} ${path}`] ?? UNKNOWN
}

interface FakeRegistrar {
  readonly answering: Answering
  /** Ids of the agents that are registered now. */
  readonly agents: ReadonlySet<string>
}

/** Replies like a registrar; `refuses` selects the registrations that it rejects. */
export function asRegistrar(
  replies: Readonly<Record<string, Reply>> = {},
  refuses: (body: object) => boolean = () => false,
): FakeRegistrar {
  const agents = new Set<string>()
  const known: Readonly<Record<string, Reply>> = {
    'GET /version': listing(),
    'GET /v2.5/agents/': [200, envelope({ uuids: [] })],
    'GET /v3.0/agents/': [200, envelope({ uuids: [] })],
    ...replies,
  }
  const register = (id: string, body: object): Reply => {
    if (refuses(body)) return [400, { code: 400, status: 'Bad Request', results: {} }]
    agents.add(id)
    return [200, envelope({ blob: '' })]
  }
  const answering: Answering = (method, path, body) => {
    const [, id = ''] = /^\/v2\.5\/agents\/([\w-]+)$/.exec(path) ?? []
    if (method === 'POST' && id !== '') return register(id, Object(body))
    if (method === 'DELETE' && agents.delete(id)) return [200, envelope()]
    return known[`${method} ${path}`] ?? UNKNOWN
  }
  return { answering, agents }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? undefined : JSON.parse(text)
}

/** Serves HTTPS on a free loopback port until the end of the test; returns the URL. */
export async function serve(ca: TestCa, name: string, options: FakeOptions): Promise<string> {
  const { answering, certificate = {}, skew, tls } = options
  const shown = await ca.issue(name, certificate)
  const files = { cert: readFileSync(shown.certificate), key: readFileSync(shown.key) }
  const client = { requestCert: true, rejectUnauthorized: false, ca: readFileSync(ca.file) }
  const server = createServer({ ...files, ...client, ...tls }, async (request, reply) => {
    const [status, body] = answering(
      request.method ?? '',
      request.url ?? '',
      await readJson(request),
    )
    if (skew !== undefined) {
      reply.setHeader('date', new Date(Date.now() + skew * 1000).toUTCString())
    }
    reply.writeHead(status, { 'content-type': 'application/json' })
    reply.end(body === undefined ? '' : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A deployment of two fakes, with a valid target file. */
export interface Fixture {
  readonly directory: string
  readonly ca: TestCa
  /** The text of the valid target file. */
  readonly text: string
  readonly urls: { readonly verifier: string; readonly registrar: string }
  readonly registrar: FakeRegistrar
  /** Writes a target file and runs the doctor on it; returns the exit code and the report. */
  readonly runDoctor: (
    text: string,
  ) => Promise<{ readonly code: number; readonly report: DoctorReport }>
}

export interface FixtureOptions {
  readonly verifier?: Partial<FakeOptions>
  readonly registrar?: Partial<FakeOptions>
  readonly refuses?: (body: object) => boolean
}

function textOf(urls: Fixture['urls']): string {
  return `name: fixture
versions: ['2.5', '3.0']
capabilities: [restartable]
roles:
  verifier: { url: '${urls.verifier}' }
  registrar: { url: '${urls.registrar}' }
tls:
  ca: pki/ca.crt
  admin: { certificate: pki/admin.crt, key: pki/admin.pem }
ek_trust: trusted
hooks:
  restart: { command: [sh, -c, 'true'] }
`
}

/** Runs the doctor as its command does; returns the exit code and the output. */
export async function callDoctor(
  argv: readonly string[],
): Promise<{ code: number; output: string }> {
  const out = new PassThrough()
  const code = await doctorMain(argv, out)
  return { code, output: String(out.read() ?? '') }
}

export async function makeFixture(options: FixtureOptions = {}): Promise<Fixture> {
  const directory = temporaryDirectory()
  const ca = await makeCa(join(directory, 'pki'))
  await ca.issue('admin', { usages: ['clientAuth'] })
  const registrar = asRegistrar({}, options.refuses)
  const urls = {
    verifier: await serve(ca, 'verifier', { answering: asVerifier(), ...options.verifier }),
    registrar: await serve(ca, 'registrar', { ...registrar, ...options.registrar }),
  }
  const runDoctor: Fixture['runDoctor'] = async (text) => {
    const file = join(directory, 'my.target.yaml')
    writeFileSync(file, text)
    const { code, output } = await callDoctor([
      ...['--target', file, '--json', '--out', join(directory, 'out')],
    ])
    return { code, report: JSON.parse(output) as DoctorReport }
  }
  return { directory, ca, text: textOf(urls), urls, registrar, runDoctor }
}
