import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { packageRoot } from '../input/package-root.ts'
import { freshOut, readResult, runAssay } from './command.ts'
import { buildMutants } from './mutation/build-mutants.ts'

const directory = mkdtempSync(join(tmpdir(), 'assay-key-forms-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const { program } = buildMutants({ edits: ['readings'] })

/** The agents and tenants of a build, with these values of the dialect. */
function targetWith(values: string): string {
  const place = 'conformance/selftest/mutation/mutated-commands.target.yaml'
  const text = readFileSync(join(packageRoot(), place), 'utf8')
  const file = join(directory, `${values.length}.target.yaml`)
  writeFileSync(file, `${text}dialect: { base: document${values} }\n`)
  return file
}

/** Runs scenarios against the reference with one other behaviour, and returns the exit code and what failed. */
async function run(mutant: string, values: string, only: readonly string[]) {
  const out = freshOut()
  const env = { ASSAY_PROGRAM: program, ASSAY_MUTANT: mutant }
  const args = ['run', '--target', targetWith(values), '--out', out, '--version', '2.5']
  const { code } = await runAssay([...args, ...only.flatMap((id) => ['--only', id])], { env })
  const red = readResult(out).scenarios.filter(({ outcome }) => outcome === 'fail')
  rmSync(out, { recursive: true, force: true })
  return { code, red: red.map(({ id }) => id) }
}

const KEYS = ['pull-agent.keys.derived.u-then-v', 'pull-agent.keys.payload-delivered']

/** Dialect keys and their values, and the edit of the reference that follows each. */
const FORMS = [
  ['bootstrap-padding', 'oaep-sha256', 'lawful-padding-oaep-sha256'],
  ['bootstrap-padding', 'pkcs1', 'lawful-padding-pkcs1'],
  ['bootstrap-derivation', 'sha256', 'lawful-derivation-sha256'],
  ['bootstrap-derivation', 'hkdf-sha256', 'lawful-derivation-hkdf-sha256'],
  ['ukey-tag', 'base64', 'lawful-tag-base64'],
  ['verify-hmac', 'sha384-base64', 'lawful-proof-sha384-base64'],
  ['verify-hmac', 'sha256-hex', 'lawful-proof-sha256-hex'],
] as const

test.each(FORMS)(
  'an agent with %s %s passes where the dialect says so, and fails where it does not',
  async (key, value, mutant) => {
    expect(await run(mutant, `, ${key}: ${value}`, KEYS)).toEqual({ code: 0, red: [] })
    expect(await run(mutant, '', KEYS)).toMatchObject({ code: 1 })
  },
)

test('a pull agent without /version conforms', async () => {
  const found = await run('lawful-no-version', '', ['pull-agent.version', 'pull-agent.info'])
  expect(found).toEqual({ code: 0, red: [] })
})
