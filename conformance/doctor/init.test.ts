import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { loadTarget } from '../target/load-target.ts'
import { type InitSurroundings, initMain } from './init.ts'
import {
  asVerifier,
  type Clinic,
  type ClinicOptions,
  listing,
  makeClinic,
} from './testing/test-clinic.ts'

interface Pool {
  readonly clinic: Clinic
  readonly file: string
  /** Every option, by its name. */
  readonly options: Readonly<Record<string, string>>
}

async function makePool(options?: ClinicOptions): Promise<Pool> {
  const clinic = await makeClinic(options)
  const pki = join(clinic.directory, 'pki')
  const file = join(clinic.directory, 'new.target.yaml')
  const files = {
    ca: join(pki, 'ca.crt'),
    cert: join(pki, 'admin.crt'),
    key: join(pki, 'admin.pem'),
  }
  return {
    clinic,
    file,
    options: { ...clinic.urls, ...files, name: 'their: "7.2" # x', out: file },
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

test('what is written loads, and says what was said and seen', async () => {
  const { clinic, file, options } = await makePool()
  const said = await init(options)
  const { urls, directory } = clinic
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
  expect(said).toContain(`next: assay doctor --target ${file}\n`)
})

test('what is written is in order for the doctor', async () => {
  const { clinic, file, options } = await makePool()
  await init(options)
  const { code, report } = await clinic.visit(readFileSync(file, 'utf8'))
  expect({ code, wrong: report.findings.filter(({ ok }) => !ok) }).toEqual({ code: 0, wrong: [] })
})

test('paths are written relative to the file, wherever it is', async () => {
  const { clinic, options } = await makePool()
  mkdirSync(join(clinic.directory, 'sub'))
  const out = join(clinic.directory, 'sub', 'x.yaml')
  await init({ ...options, out })
  expect(readFileSync(out, 'utf8')).toContain('ca: "../pki/ca.crt"')
  expect((await load(out)).tls.ca).toBe(join(clinic.directory, 'pki/ca.crt'))
})

test('versions are those that both roles have', async () => {
  const fewer = asVerifier({ 'GET /version': listing(['2.4', '2.5', '9.9']) })
  const { file, options } = await makePool({ verifier: { answering: fewer } })
  await init(options)
  expect((await load(file)).versions).toEqual(['2.5'])
  expect(readFileSync(file, 'utf8')).toContain('seen: verifier 2.4 2.5; registrar 2.5 3.0')
})

test('versions that nobody advertises are tried', async () => {
  const quiet = asVerifier({ 'GET /version': [404] })
  const { file, options } = await makePool({ verifier: { answering: quiet } })
  await init(options)
  expect((await load(file)).versions).toEqual(['2.5', '3.0'])
})

test.each([
  [400, 'it has push endpoints'],
  [404, 'it has no push endpoints'],
  [403, 'whether it has push endpoints could not be seen'],
] as const)('push endpoints that answer %d are described', async (status, words) => {
  const answering = asVerifier({ 'POST /v3/sessions': [status] })
  const { file, options } = await makePool({ verifier: { answering } })
  await init(options)
  expect(readFileSync(file, 'utf8')).toContain(`# ${words}\n`)
})

test('a dialect is what a probe suggests', async () => {
  const { file, options } = await makePool()
  const look = async () => ({ verdict: 'spoken', detail: '', suggests: 'keylime' }) as const
  await init(options, [], { dialectProbes: [{ what: 'x', look }] })
  expect((await load(file)).dialect.base).toBe('keylime')
})

test('what is missing is asked for', async () => {
  const pool = await makePool()
  const asked: string[] = []
  const ask = async (question: string) => {
    asked.push(question)
    return question.startsWith('name') ? ' ours ' : ''
  }
  await init(without(pool, 'registrar', 'name'), [], { ask })
  expect(asked).toEqual([
    expect.stringContaining('registrar (empty: there is none)'),
    expect.stringContaining('name of what is judged'),
  ])
  expect(await load(pool.file)).toMatchObject({ name: 'ours', roles: [{ role: 'verifier' }] })
})

test.each(['verifier', 'ca', 'cert', 'key', 'name'])(
  'where nobody can be asked, a missing --%s is named',
  async (name) => {
    const pool = await makePool()
    const left = without(pool, name, ...(name === 'verifier' ? ['registrar'] : []))
    await expect(init(left)).rejects.toMatchObject({
      sentence: `--${name} is missing, and nobody is here to be asked`,
    })
    expect(existsSync(pool.file)).toBe(false)
  },
)

test('nothing is overwritten without --force', async () => {
  const { file, options } = await makePool()
  writeFileSync(file, 'precious')
  await expect(init(options)).rejects.toMatchObject({ sentence: `${file} is there already` })
  expect(readFileSync(file, 'utf8')).toBe('precious')
  await init(options, ['--force'])
  expect((await load(file)).versions).toEqual(['2.5', '3.0'])
})

/** Which option is replaced by what, and what the refusal says. */
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
  ['ca', '/nowhere.crt', 'D-CERT-UNREADABLE', /^the CA file \/nowhere\.crt is not there$/],
  [
    'cert',
    '/nowhere.crt',
    'D-CERT-UNREADABLE',
    /^the administrator's certificate .* is not there$/,
  ],
] as const

test.each(REFUSED)(
  'a wrong --%s %s is refused before anything is written',
  async (name, value, code, sentence) => {
    const pool = await makePool()
    await expect(init({ ...pool.options, [name]: value })).rejects.toMatchObject({
      code,
      sentence: expect.stringMatching(sentence),
    })
    expect(existsSync(pool.file)).toBe(false)
  },
)
