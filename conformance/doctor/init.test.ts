import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { targetSchema } from '../target/check-target.ts'
import { loadTarget } from '../target/load-target.ts'
import { type InitSurroundings, initMain } from './init.ts'
import {
  asVerifier,
  type Fixture,
  type FixtureOptions,
  listing,
  makeFixture,
} from './testing/test-fixture.ts'

interface Pool {
  readonly fixture: Fixture
  readonly file: string
  /** The value of every option by its name. */
  readonly options: Readonly<Record<string, string>>
}

async function prepareInit(options?: FixtureOptions): Promise<Pool> {
  const fixture = await makeFixture(options)
  const pki = join(fixture.directory, 'pki')
  const file = join(fixture.directory, 'new.target.yaml')
  const files = {
    ca: join(pki, 'ca.crt'),
    cert: join(pki, 'admin.crt'),
    key: join(pki, 'admin.pem'),
  }
  return {
    fixture,
    file,
    options: { ...fixture.urls, ...files, name: 'their: "7.2" # x', out: file },
  }
}

async function init(
  options: Readonly<Record<string, string>>,
  more: readonly string[] = [],
  surroundings: InitSurroundings = {},
): Promise<string> {
  const argv = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const out = new PassThrough()
  expect(await initMain([...argv, ...more], { out, ...surroundings })).toBe(0)
  return String(out.read())
}

function without({ options }: Pool, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)))
}

const load = (file: string) => loadTarget(file, { run: '/run', ekCa: '/ek', env: {} })

test('the written target file loads, with the answers given and the versions found', async () => {
  const { fixture, file, options } = await prepareInit()
  const output = await init(options)
  const { urls, directory } = fixture
  expect(await load(file)).toMatchObject({
    name: 'their: "7.2" # x',
    versions: ['2.5', '3.0'],
    capabilities: [],
    roles: [
      { role: 'verifier', url: urls.verifier },
      { role: 'registrar', url: urls.registrar },
    ],
    tls: { ca: join(directory, 'pki/ca.crt'), admin: { key: join(directory, 'pki/admin.pem') } },
    dialect: { base: 'document' },
    safety: { loopbackOnly: true },
  })
  expect(output).toContain(`next: assay doctor --target ${file}\n`)
})

test('the doctor finds no fault in the written target file', async () => {
  const { fixture, file, options } = await prepareInit()
  await init(options)
  const { code, report } = await fixture.runDoctor(readFileSync(file, 'utf8'))
  const wrong = report.findings.flatMap((one) => (one.ok ? [] : [`${one.code} ${one.severity}`]))
  // The servers of the fixture enrol no agent.
  expect({ code, wrong }).toEqual({ code: 0, wrong: ['D-FUNCTION warning'] })
})

test('paths are written relative to the target file', async () => {
  const { fixture, options } = await prepareInit()
  mkdirSync(join(fixture.directory, 'sub'))
  const out = join(fixture.directory, 'sub', 'x.yaml')
  await init({ ...options, out })
  const text = readFileSync(out, 'utf8')
  expect(text).toContain('ca: "../pki/ca.crt"')
  expect(resolve(dirname(out), String(parse(text).$schema))).toBe(targetSchema())
  expect((await load(out)).tls.ca).toBe(join(fixture.directory, 'pki/ca.crt'))
})

test('the versions are those that both roles advertise', async () => {
  const fewer = asVerifier({ 'GET /version': listing(['2.4', '2.5', '9.9']) })
  const { file, options } = await prepareInit({ verifier: { answering: fewer } })
  await init(options)
  expect((await load(file)).versions).toEqual(['2.5'])
  expect(readFileSync(file, 'utf8')).toContain('found: verifier 2.4 2.5; registrar 2.5 3.0')
})

test('versions that no role advertises are probed', async () => {
  const quiet = asVerifier({ 'GET /version': [404] })
  const { file, options } = await prepareInit({ verifier: { answering: quiet } })
  await init(options)
  expect((await load(file)).versions).toEqual(['2.5', '3.0'])
})

test.each([
  [400, 'it has push endpoints'],
  [404, 'it has no push endpoints'],
  [403, 'whether it has push endpoints is unknown'],
] as const)('for push endpoints that answer %d the comment is correct', async (status, words) => {
  const answering = asVerifier({ 'POST /v3/sessions': [status] })
  const { file, options } = await prepareInit({ verifier: { answering } })
  await init(options)
  expect(readFileSync(file, 'utf8')).toContain(`# ${words}\n`)
})

test('the dialect is the one that a probe suggests', async () => {
  const { file, options } = await prepareInit()
  const run = async () => ({ verdict: 'accepted', detail: '', suggests: 'keylime' }) as const
  await init(options, [], { dialectProbes: [{ what: 'x', run }] })
  expect((await load(file)).dialect.base).toBe('keylime')
})

test('missing options are prompted for', async () => {
  const prepared = await prepareInit()
  const questions: string[] = []
  const ask = async (question: string) => {
    questions.push(question)
    return question.startsWith('name') ? ' ours ' : ''
  }
  await init(without(prepared, 'registrar', 'name'), [], { ask })
  expect(questions).toEqual([
    expect.stringContaining('registrar (empty: none)'),
    expect.stringContaining('name of the deployment in reports'),
  ])
  expect(await load(prepared.file)).toMatchObject({ name: 'ours', roles: [{ role: 'verifier' }] })
})

test.each([
  [['ca'], '--ca'],
  [['cert', 'key', 'name'], '--cert, --key, --name'],
  [['verifier', 'registrar', 'ca'], '--verifier or --registrar, --ca'],
])('without a terminal, the error names all missing options: %j', async (names, listed) => {
  const prepared = await prepareInit()
  await expect(init(without(prepared, ...names))).rejects.toMatchObject({
    sentence: `missing options: ${listed}; there is no terminal to ask for them`,
  })
  expect(existsSync(prepared.file)).toBe(false)
})

test('nothing is overwritten without --force', async () => {
  const { file, options } = await prepareInit()
  writeFileSync(file, 'precious')
  await expect(init(options)).rejects.toMatchObject({ sentence: `${file} already exists` })
  expect(readFileSync(file, 'utf8')).toBe('precious')
  await init(options, ['--force'])
  expect((await load(file)).versions).toEqual(['2.5', '3.0'])
})

/** The replaced option, its value, and the error. */
const REFUSED = [
  [
    'verifier',
    'http://127.0.0.1:1',
    'D-TARGET-URL',
    /^--verifier is "http:.*expected an https URL/,
  ],
  [
    'verifier',
    'https://127.0.0.1:1',
    'D-TLS-UNREACHABLE',
    /^verifier does not answer at .*nothing/,
  ],
  [
    'registrar',
    'https://192.0.2.7:1',
    'D-LOOPBACK',
    /^--registrar names 192\.0\.2\.7, which is not/,
  ],
  ['ca', '/nowhere.crt', 'D-CERT-UNREADABLE', /^the CA file \/nowhere\.crt does not exist$/],
  [
    'cert',
    '/nowhere.crt',
    'D-CERT-UNREADABLE',
    /^the administrator's certificate .* does not exist$/,
  ],
] as const

test.each(REFUSED)(
  'a wrong --%s %s is refused before anything is written',
  async (name, value, code, sentence) => {
    const prepared = await prepareInit()
    await expect(init({ ...prepared.options, [name]: value })).rejects.toMatchObject({
      code,
      sentence: expect.stringMatching(sentence),
    })
    expect(existsSync(prepared.file)).toBe(false)
  },
)

test('dialect and capabilities that enrolled agents show are written, and what they show to be absent is a comment', async () => {
  const { file, options } = await prepareInit()
  const capabilities = new Map([
    ['ima_log', true],
    ['ek_store', false],
  ])
  await init(options, [], { probeAgents: async () => ({ dialect: 'keylime', capabilities }) })
  expect(await load(file)).toMatchObject({
    capabilities: ['ima_log'],
    dialect: { base: 'keylime' },
  })
  expect(readFileSync(file, 'utf8')).toContain('it lacks ek_store')
})
