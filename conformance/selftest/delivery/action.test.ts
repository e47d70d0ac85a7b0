import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { packageRoot } from '../../input/package-root.ts'
import { type ActionRun, loadAction, runAction } from './run-action.ts'

const ONE = { only: 'registrar.registration.accepted', version: '2.5' }

function codesOf({ steps }: ActionRun): readonly (readonly [string, number | null])[] {
  return steps.map(({ name, code }) => [name, code])
}

function stepOf({ steps }: ActionRun, name: string) {
  const step = steps.find((one) => one.name === name)
  if (step === undefined) throw new Error(`the step ${name} did not run`)
  return step
}

/** A directory of programs: shell scripts, and links to those of this machine. */
function programs(scripts: Readonly<Record<string, string>>, links: readonly string[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'assay-programs-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(directory, name), 0o755)
  }
  for (const name of links) symlinkSync(join('/usr/bin', name), join(directory, name))
  symlinkSync(process.execPath, join(directory, 'node'))
  return directory
}

test('the action runs one scenario of the reference, with annotations, a job summary and reports', async () => {
  const run = await runAction(ONE)
  expect(codesOf(run).filter(([, code]) => code !== 0)).toEqual([])
  expect(run.outputs).toEqual({ 'exit-code': '0' })
  const { stdout } = stepOf(run, 'Test')
  expect(stdout).toContain('scenarios: 1 passed, 0 failed, 0 skipped')
  expect(stdout).toMatch(/^::notice title=Assay::/m)
  expect(run.summary).toContain('| all |')
  const uploaded = stepOf(run, 'Upload the reports').with?.['path'] ?? ''
  expect(basename(uploaded)).toBe('*.*')
  const files = readdirSync(join(run.workspace, dirname(uploaded)))
  const expected = ['junit.xml', 'report.html', 'result.json', 'result.sarif']
  expect(files.filter((name) => name.includes('.'))).toEqual(expect.arrayContaining(expected))
  // Without a dot in its name the directory of the run, which has private keys, is not uploaded.
  expect(files.filter((name) => !name.includes('.'))).toEqual(['runs'])
})

test('a run without a verdict fails the action at its last step, and not if fail-on is never', async () => {
  const inputs = { target: 'absent.target.yaml' }
  const run = await runAction(inputs)
  expect(run.outputs).toEqual({ 'exit-code': '2' })
  expect(codesOf(run).filter(([, code]) => code !== 0)).toEqual([['Judge', 2]])
  expect(stepOf(run, 'Test').stderr).toContain('absent.target.yaml')
  const judged = codesOf(await runAction({ ...inputs, 'fail-on': 'never' }))
  expect(judged.at(-1)).toEqual(['Judge', 0])
})

test.each([
  ['failure', '1', 1],
  ['no-verdict', '1', 0],
  ['no-verdict', '2', 2],
  ['never', '2', 0],
])('with fail-on %s the exit code %s of Assay becomes %i', async (failOn, code, becomes) => {
  const path = programs({}, ['cat', 'cut', 'sha256sum'])
  rmSync(join(path, 'node'))
  const stub = `if [ "$1" = --version ]; then echo v24; exit; fi; exit ${code}`
  writeFileSync(join(path, 'node'), `#!/bin/sh\n${stub}\n`, { mode: 0o755 })
  for (const name of ['swtpm', 'tpm2_quote'])
    writeFileSync(join(path, name), '#!/bin/sh\n', { mode: 0o755 })
  const run = await runAction({ ...ONE, 'fail-on': failOn }, { path })
  expect(codesOf(run).at(-1)).toEqual(['Judge', becomes])
})

test.each([
  [{ 'fail-on': 'sometimes' }, 'fail-on is one of failure, no-verdict and never'],
  [{ profile: 'registrar' }, 'profile needs the inputs subject and key'],
  [
    { profile: 'registrar', subject: 'a', key: 'k', only: 'x' },
    'a certificate covers a whole profile',
  ],
])('the inputs %j are refused before anything is installed', async (inputs, says) => {
  const { steps, outputs } = await runAction(inputs)
  expect(steps.map(({ code }) => code)).toEqual([2])
  expect(steps[0]?.stdout).toMatch(/^::error title=Assay::[^\n]+\n$/)
  expect(steps[0]?.stdout).toContain(says)
  expect(outputs).toEqual({ 'exit-code': '' })
})

test('the key of a certificate is in a file of its own that is removed, and in no environment', async () => {
  const path = programs({}, [
    'cat',
    'cut',
    'sha256sum',
    'mktemp',
    'rm',
    'openssl',
    'swtpm',
    'tpm2_quote',
  ])
  const directory = mkdtempSync(join(tmpdir(), 'assay-copy-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  mkdirSync(join(directory, 'bin'))
  mkdirSync(join(directory, 'node_modules'))
  for (const name of ['package.json', 'package-lock.json'])
    cpSync(join(packageRoot(), name), join(directory, name))
  // Prints what the action gives to Assay.
  writeFileSync(
    join(directory, 'bin', 'assay.js'),
    "import { readFileSync, mkdirSync, writeFileSync } from 'node:fs'\n" +
      "const words = process.argv.slice(2); const at = words.indexOf('--key') + 1\n" +
      "mkdirSync('kit'); writeFileSync('kit/README.md', '# Certificate\\n')\n" +
      'console.log(JSON.stringify({ words, file: words[at], key: readFileSync(words[at], "utf8"), env: process.env.KEY ?? null }))\n',
  )
  const inputs = { profile: 'registrar', subject: 'a b.tar', key: 'SECRET', reports: 'kit' }
  const run = await runAction(inputs, { directory, path })
  const [, said = '{}'] = stepOf(run, 'Test').stdout.split('\n')
  const { words, file, key, env } = JSON.parse(said)
  expect(words).toEqual([
    'certify',
    '--profile',
    'registrar',
    '--subject',
    'a b.tar',
    '--key',
    file,
    '--out',
    'kit',
  ])
  expect([key, env]).toEqual(['SECRET\n', null])
  expect(() => readFileSync(file)).toThrow('ENOENT')
  expect(run.summary).toBe('# Certificate\n')
  expect(stepOf(run, 'Upload the reports').with).toMatchObject({ path: 'kit' })
})

test('what is missing is installed: swtpm with apt, and the packages of the lock file', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'assay-copy-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  for (const name of ['package.json', 'package-lock.json'])
    cpSync(join(packageRoot(), name), join(directory, name))
  const log = join(directory, 'log')
  const note = `echo "$(basename "$0") $@" >> ${log}`
  const path = programs({ sudo: note, 'apt-get': note, npm: note }, [
    'basename',
    'cat',
    'cut',
    'sha256sum',
  ])
  await runAction({}, { directory, path })
  expect(readFileSync(log, 'utf8').split('\n')).toEqual([
    'sudo apt-get update',
    'sudo apt-get install --yes --no-install-recommends swtpm tpm2-tools',
    'npm ci --omit=dev',
    '',
  ])
  rmSync(join(path, 'apt-get'))
  const { steps } = await runAction({}, { directory, path })
  expect(steps.at(-1)).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('the runner has no apt-get'),
  })
})

test('no script of the action contains an expression, which could be a command of the caller', () => {
  const scripts = loadAction().runs.steps.flatMap(({ run }) => run ?? [])
  expect(scripts.filter((script) => script.includes('${{'))).toEqual([])
})
