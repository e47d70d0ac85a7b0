import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packageRoot } from '../input/package-root.ts'
import { startProgram } from './command.ts'

const LEFT_OUT = new Set(['node_modules', 'dist', '.git', 'reports/out'])
const MOST_BYTES = 8_000_000
/** The packages that npm installs with ours. */
const INSTALLED = ['libsql', '@libsql', '@neon-rs', 'detect-libc']

const home = mkdtempSync(join(tmpdir(), 'assay-package-'))
const checkout = join(home, 'checkout')
/** Where a user has installed the package, and where npm could not install the database. */
const [user, poor] = [join(home, 'user'), join(home, 'poor')]
const root = packageRoot()

/** Installs the packed files below `directory`. */
function install(directory: string, packages: readonly string[]): void {
  const modules = join(directory, 'node_modules')
  mkdirSync(join(modules, 'assay'), { recursive: true })
  const [tarball = ''] = readdirSync(home).filter((name) => name.endsWith('.tgz'))
  const words = ['-xzf', join(home, tarball), '--strip-components=1']
  execFileSync('tar', [...words, '-C', join(modules, 'assay')])
  for (const name of packages) symlinkSync(join(root, 'node_modules', name), join(modules, name))
}

beforeAll(() => {
  const filter = (path: string) => !LEFT_OUT.has(path.slice(root.length + 1))
  cpSync(root, checkout, { recursive: true, filter })
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
  execFileSync('npm', ['pack', '--silent', '--pack-destination', home], { cwd: checkout })
  install(user, INSTALLED)
  install(poor, [])
}, 300_000)

afterAll(() => rmSync(home, { recursive: true, force: true }))

const inPackage = (directory: string) => join(directory, 'node_modules', 'assay')

const runIn = (directory: string, words: readonly string[], env = {}) => {
  const script = join(inPackage(directory), 'bin', 'assay.js')
  return startProgram([process.execPath, script, ...words], { root: directory, env }).ended
}

test('a package has at most 8 MB, no sources and no package that its bundles contain', () => {
  const files = readdirSync(inPackage(user), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0)
  expect(bytes).toBeLessThan(MOST_BYTES)
  expect(files.filter((file) => file.endsWith('.ts'))).toEqual([])
  const manifest = JSON.parse(readFileSync(join(inPackage(user), 'package.json'), 'utf8'))
  expect(manifest).not.toHaveProperty('dependencies')
  expect(Object.keys(manifest.optionalDependencies)).toEqual(['libsql'])
})

test('packing leaves package.json as it was', () => {
  const [before, after] = [root, checkout].map((at) => readFileSync(join(at, 'package.json')))
  expect(after).toEqual(before)
})

test('an installed package lists scenarios, and passes a scenario of the reference', async () => {
  expect(await runIn(user, ['--version'])).toMatchObject({ code: 0 })
  const { stdout: listed } = await runIn(poor, ['list'])
  expect(listed).toMatch(/^push\.evidence\.accepted /m)
  const { code, stdout } = await runIn(user, ['run', '--only', 'push.evidence.signature-bit-*'])
  expect([code, stdout.trim().split('\n').at(-1)]).toEqual([
    0,
    'scenarios: 2 passed, 0 failed, 0 skipped',
  ])
})

test('the demonstration of an installed package ends with commands of npx', async () => {
  const { code, stdout } = await runIn(user, ['demo'])
  expect(code).toBe(0)
  expect(stdout).toContain('npx assay up')
  expect(stdout).not.toContain('bin/assay.js')
})

test('the next step of a fault is a command of npx', async () => {
  const { code, stderr } = await runIn(user, ['run', '--only', 'no.such'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('next: npx assay list shows')])
})

test.each([
  [
    'the database',
    ['verifier'],
    {},
    'the package libsql is not installed\nnext: npm install libsql',
  ],
  ['swtpm', ['demo'], { PATH: '/nowhere' }, 'apk add swtpm (Alpine) or brew install swtpm (macOS)'],
])(
  'without %s the verb that needs it says in one sentence what to type',
  async (_, words, env, says) => {
    const { code, stderr } = await runIn(poor, words, env)
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)])
    expect(stderr.trim().split('\n')).toHaveLength(2)
  },
)
