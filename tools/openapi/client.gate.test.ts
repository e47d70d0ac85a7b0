import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transform } from 'esbuild'
import openapiTypes, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deferred } from '../../conformance/attempt/deferred.ts'
import { packageRoot } from '../../conformance/input/package-root.ts'
import { type Running, startAssay } from '../../conformance/selftest/command.ts'
import { composeOpenApi } from './compose-openapi.ts'

const ID = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'
const FIXTURE = join(packageRoot(), 'fixtures', 'adversarial', 'e5-registration.json')

/** A client of the registrar, by the generated types. */
const CLIENT = `import createClient from 'openapi-fetch'
import type { paths } from './registrar.ts'

export async function register(baseUrl: string, agent_id: string, body: { aik_tpm: string }) {
  const client = createClient<paths>({ baseUrl })
  const params = { path: { agent_id } }
  const registered = await client.POST('/v2.5/agents/{agent_id}', { params, body })
  const blob: string | undefined = registered.data?.results.blob
  const shown = await client.GET('/version')
  const current: string | undefined = shown.data?.results.current_version
  const refused = await client.PUT('/v2.5/agents/{agent_id}/activate', { params, body: { auth_tag: 'ab' } })
  return { status: registered.response.status, blob, current, refused: refused.response.status }
}
`

const folder = mkdtempSync(join(tmpdir(), 'assay-openapi-'))
const running: Running[] = []

/** Starts a component, and resolves with the URL that it prints in this scheme. */
async function listening(words: readonly string[], scheme: string): Promise<string> {
  const settings = [`state_dir=${folder}/state`, 'port=0', 'log_level=silent']
  const started = startAssay([...words, ...settings.flatMap((one) => ['--set', one])])
  running.push(started)
  let printed = ''
  const { promise, resolve, reject } = deferred<string>()
  started.child.stdout?.on('data', (chunk) => {
    printed += String(chunk)
    const url = new RegExp(`listens at (${scheme}://\\S+)\\n`).exec(printed)?.[1]
    if (url !== undefined) resolve(url)
  })
  void started.ended.then(({ stderr }) => reject(new Error(`it ended: ${stderr}`)))
  return promise
}

/** The errors of the TypeScript compiler for a client. */
function typeErrors(client: string): Promise<string> {
  writeFileSync(join(folder, 'client.ts'), client)
  const compiler = join(packageRoot(), 'node_modules', 'typescript', 'bin', 'tsc')
  const words = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext']
  const types = ['--target', 'es2023', '--types', 'node', '--allowImportingTsExtensions']
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [compiler, ...words, ...types, 'client.ts'],
      { cwd: folder },
      (_error, stdout) => resolve(stdout),
    )
  })
}

beforeAll(async () => {
  mkdirSync(join(folder, 'state'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  symlinkSync(join(packageRoot(), 'node_modules'), join(folder, 'node_modules'))
  const document = JSON.stringify(composeOpenApi('registrar', '2.5'))
  writeFileSync(join(folder, 'registrar.ts'), astToString(await openapiTypes(document)))
})

afterAll(async () => {
  for (const { child } of running) child.kill('SIGTERM')
  await Promise.all(running.map(({ ended }) => ended))
  rmSync(folder, { recursive: true, force: true })
})

test('a client with types from the document compiles, and one that breaks it does not', async () => {
  expect(await typeErrors(CLIENT)).toBe('')
  expect(await typeErrors(CLIENT.replaceAll('auth_tag', 'tag'))).toContain("'tag' does not exist")
  expect(await typeErrors(CLIENT.replace('results.blob', 'blob'))).toContain("'blob'")
})

test('the client registers an agent with the reference, and is refused where it should be', async () => {
  await listening(['verifier'], 'https')
  const url = await listening(['registrar', '--set', 'http_port=0'], 'http')
  const { code } = await transform(CLIENT, { loader: 'ts' })
  writeFileSync(join(folder, 'client.mjs'), code)
  const { register } = await import(pathToFileURL(join(folder, 'client.mjs')).href)
  const { baselines } = JSON.parse(readFileSync(FIXTURE, 'utf8'))
  const answered = await register(url, ID, baselines.ecc)
  expect(answered).toMatchObject({ status: 200, current: '2.5' })
  expect(answered.refused).toBeGreaterThanOrEqual(400)
  expect(answered.blob).toMatch(/^[A-Za-z0-9+/]+=*$/)
})
