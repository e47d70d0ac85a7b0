import { once } from 'node:events'
import {
  closeSync,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { type Checkout, linkPackages, makeCheckout } from './test-checkout.ts'

const ECHO = `export async function main(argv: readonly string[]): Promise<number> {
  console.log(JSON.stringify(argv))
  return argv.length
}
`

function throwing(statement: string): string {
  return `export async function main(): Promise<number> {\n  ${statement}\n}\n`
}

/** A checkout with packages, whose conformance side is `cli`. */
function checkoutWith(cli: string): Checkout {
  const checkout = makeCheckout()
  linkPackages(checkout)
  checkout.write('conformance/cli.ts', cli)
  return checkout
}

test.each(['run', 'list'])('%s runs the harness, with its verb first', async (verb) => {
  const output = await checkoutWith(ECHO).node('assay.js', verb, '--seed', '7')
  expect(output).toEqual({ code: 3, out: `["${verb}","--seed","7"]\n`, err: '' })
})

test.each(['verifier', 'registrar'])('%s runs the reference', async (verb) => {
  const checkout = checkoutWith(throwing("throw new Error('the harness was loaded')"))
  checkout.write('reference/main.ts', ECHO)
  expect(await checkout.node('assay.js', verb)).toEqual({ code: 1, out: `["${verb}"]\n`, err: '' })
})

test('fuzz runs the harness, with a target and without', async () => {
  const checkout = checkoutWith(ECHO)
  checkout.write('reference/main.ts', throwing("throw new Error('the reference was loaded')"))
  checkout.write('tools/fuzz/main.ts', ECHO.replace('argv.length', '40 + argv.length'))
  expect((await checkout.node('assay.js', 'fuzz', 'quote')).code).toBe(42)
  expect((await checkout.node('assay.js', 'fuzz', 'quote', '--target', 'f')).code).toBe(44)
})

test('without the reference, its verbs report that in one sentence', async () => {
  expect(await checkoutWith(ECHO).node('assay.js', 'verifier')).toEqual({
    code: 2,
    out: '',
    err: 'assay: this copy of Assay carries no reference implementation\n',
  })
})

test('an old build does not replace a reference that was removed', async () => {
  const checkout = checkoutWith(ECHO)
  checkout.write('reference/main.ts', ECHO)
  expect((await checkout.node('assay.js', 'verifier')).code).toBe(1)
  checkout.remove('../reference/main.ts')
  expect((await checkout.node('assay.js', 'verifier')).code).toBe(2)
})

test('a second start reuses the build of the first', async () => {
  const checkout = checkoutWith(throwing('return 4'))
  const builds = () => readdirSync(join(checkout.root, 'dist')).filter((name) => name !== 'data')
  expect((await checkout.node('assay.js', 'run')).code).toBe(4)
  const first = builds()
  expect((await checkout.node('assay.js', 'run')).code).toBe(4)
  expect([first, builds()]).toEqual([builds(), first])
})

test('an edited file is built again, even with an unchanged modification time', async () => {
  const checkout = checkoutWith(throwing('return 4'))
  expect((await checkout.node('assay.js', 'run')).code).toBe(4)
  checkout.write('conformance/cli.ts', throwing('return 5'))
  utimesSync(join(checkout.root, 'conformance/cli.ts'), 0, 0)
  expect((await checkout.node('assay.js', 'run')).code).toBe(5)
})

test('an edited import is built again', async () => {
  const checkout = checkoutWith(
    "import { CODE } from './code.ts'\nexport const main = async () => CODE\n",
  )
  checkout.write('conformance/code.ts', 'export const CODE = 4\n')
  expect((await checkout.node('assay.js', 'run')).code).toBe(4)
  checkout.write('conformance/code.ts', 'export const CODE = 6\n')
  expect((await checkout.node('assay.js', 'run')).code).toBe(6)
})

test('a new scenario is part of the next build', async () => {
  const files = `import { loadScenarioFiles } from './runner/scenario-files.ts'
export const main = async () => (await loadScenarioFiles()).length
`
  const checkout = checkoutWith(files)
  checkout.write('conformance/runner/scenario-files.ts', 'export const loadScenarioFiles = 0\n')
  checkout.write('scenarios/push/one.ts', 'export default 1\n')
  expect((await checkout.node('assay.js', 'run')).code).toBe(1)
  checkout.write('scenarios/push/two.ts', 'export default 2\n')
  expect((await checkout.node('assay.js', 'run')).code).toBe(2)
})

test('a source that cannot be built is reported with file, line and column', async () => {
  const checkout = checkoutWith('export const main = async () => {\n  return ]\n}\n')
  expect(await checkout.node('assay.js', 'run')).toEqual({
    code: 2,
    out: '',
    err: 'assay: cannot build the sources: conformance/cli.ts:2:10: Unexpected "]"\n',
  })
})

test('a package without sources runs its build', async () => {
  const made = checkoutWith(throwing('return 5'))
  expect((await made.node('assay.js', 'run')).code).toBe(5)
  const checkout = makeCheckout()
  cpSync(join(made.root, 'dist'), join(checkout.root, 'dist'), { recursive: true })
  expect((await checkout.node('assay.js', 'run')).code).toBe(5)
  expect(await checkout.node('assay.js', 'verifier')).toMatchObject({
    code: 2,
    err: 'assay: this copy of Assay carries no reference implementation\n',
  })
})

test('a package runs its build compressed, and the stack of an error names the source lines', async () => {
  const made = checkoutWith(throwing("throw new Error('deep')"))
  await made.node('assay.js', 'run')
  const checkout = makeCheckout()
  const filter = (path: string) => !path.endsWith('.cache')
  cpSync(join(made.root, 'dist'), join(checkout.root, 'dist'), { recursive: true, filter })
  const [build = ''] = readdirSync(join(checkout.root, 'dist')).filter((name) =>
    /-[0-9a-f]+$/.test(name),
  )
  for (const name of ['main.cjs', 'main.cjs.map']) {
    const file = join(checkout.root, 'dist', build, name)
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file)))
    rmSync(file)
  }
  checkout.setting('TMPDIR', checkout.root)
  const { err } = await checkout.node('assay.js', 'run')
  const [, stack = ''] = /stack trace: (.*)/.exec(err) ?? []
  expect(readFileSync(stack, 'utf8')).toMatch(/at main \(conformance\/cli\.ts:2:\d+\)/)
})

test('an unknown verb is rejected with the list of known verbs', async () => {
  expect(await checkoutWith(ECHO).node('assay.js', 'runn')).toEqual({
    code: 2,
    out: '',
    err: 'assay: unknown verb "runn"; verbs are: run, list, doctor, init, coverage, explain, inspect, report, bundle, replay, watch, certify, certificate, demo, up, look, verify-evidence, fuzz, explore, load, vectors, openapi, mock, interop, pki, policy, tenant, verifier, registrar, agent, push-agent, completion\nnext: assay --help\n',
  })
})

test.each(['constructor', '__proto__', ''])('%s is an unknown verb too', async (verb) => {
  const output = await checkoutWith(ECHO).node('assay.js', verb)
  expect(output).toMatchObject({ code: 2, err: expect.stringContaining('unknown verb "') })
})

test('a missing verb is rejected with the list of known verbs', async () => {
  const output = await checkoutWith(ECHO).node('assay.js')
  expect(output).toMatchObject({
    code: 2,
    err: expect.stringContaining('assay: missing verb; verbs'),
  })
})

test('--version prints the version of package.json', async () => {
  expect(await makeCheckout().node('assay.js', '--version')).toEqual({
    code: 0,
    out: 'assay 1.2.3\n',
    err: '',
  })
})

test('--help names every verb', async () => {
  const { code, out } = await makeCheckout().node('assay.js', '--help')
  expect(code).toBe(0)
  for (const verb of ['run', 'list', 'verifier', 'registrar']) expect(out).toContain(`  ${verb} `)
})

test('missing packages are reported with the command to type', async () => {
  const checkout = makeCheckout()
  checkout.write('conformance/cli.ts', ECHO)
  expect(await checkout.node('assay.js', 'run')).toEqual({
    code: 2,
    out: '',
    err: 'assay: the packages Assay needs are not installed\nnext: run npm start, or npm ci, in its folder\n',
  })
})

test('a fault with a sentence is printed with its sentence and its next step', async () => {
  const fault = "Object.assign(new Error('x'), { sentence: 'no CA', next: 'make one' })"
  expect(await checkoutWith(throwing(`throw ${fault}`)).node('assay.js', 'run')).toEqual({
    code: 2,
    out: '',
    err: 'assay: no CA\nnext: make one\n',
  })
})

test('any other error is printed in one line, and its stack is written to a file', async () => {
  const cause = "new Error('deep', { cause: new Error('deeper') })"
  const checkout = checkoutWith(throwing(`throw ${cause}`))
  const { code, err } = await checkout.node('assay.js', 'run')
  expect(code).toBe(2)
  expect(err).toMatch(/^assay: unexpected error: deep\nnext: stack trace: .*assay-fault-.*\.txt\n$/)
  const [file = ''] = readdirSync(join(checkout.root, 'reports/out'))
  expect(checkout.read(`reports/out/${file}`)).toMatch(
    /deep\n +at main \(conformance\/cli\.ts:2:\d+\)[\s\S]*caused by: Error: deeper\n +at/,
  )
})

test('other properties of an error are not written to the file', async () => {
  const error = "Object.assign(new Error('x'), { token: 'secret' })"
  const checkout = checkoutWith(throwing(`throw ${error}`))
  await checkout.node('assay.js', 'run')
  const [file = ''] = readdirSync(join(checkout.root, 'reports/out'))
  expect(checkout.read(`reports/out/${file}`)).not.toContain('secret')
})

test.each([
  ['thrown later', "setTimeout(() => { throw new Error('late') }, 1)"],
  ['of an unhandled rejection', "void Promise.reject(new Error('late'))"],
])('an error %s is printed like any other', async (_, statement) => {
  const checkout = checkoutWith(
    throwing(`${statement}\n  return await new Promise(() => setTimeout(() => 0, 5000))`),
  )
  const { code, err } = await checkout.node('assay.js', 'run')
  expect({ code, err }).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^assay: unexpected error: late\nnext: .*\n$/),
  })
})

test('a tsconfig.json in the working directory cannot replace a package', async () => {
  const checkout = checkoutWith(`import { parse } from 'yaml'\n${throwing("return parse('4')")}`)
  const paths = { yaml: ['./mine.ts'] }
  checkout.write('elsewhere/tsconfig.json', JSON.stringify({ compilerOptions: { paths } }))
  checkout.write('elsewhere/mine.ts', 'export const parse = () => 0\n')
  expect((await checkout.node('assay.js', 'run')).code).toBe(4)
})

test('large output arrives completely when the command exits at once', async () => {
  const checkout = checkoutWith(throwing("process.stdout.write('x'.repeat(3_000_000)); return 1"))
  const { code, out } = await checkout.node('assay.js', 'list')
  expect([code, out.length]).toEqual([1, 3_000_000])
})

test('a closed pipe ends the command without a message', async () => {
  const checkout = checkoutWith(
    throwing("for (;;) { console.log('line'); await new Promise((go) => setImmediate(go)) }"),
  )
  const child = checkout.start(['assay.js', 'list'])
  let err = ''
  child.stderr?.on('data', (chunk) => {
    err += chunk
  })
  child.stdout?.once('data', () => child.stdout?.destroy())
  const code = await new Promise((resolve) => child.once('exit', resolve))
  expect({ code, err }).toEqual({ code: 2, err: '' })
})

test.each([
  ['/dev/full', 2, /^assay: cannot write output: ENOSPC: no space left on device\nnext: /],
  ['/dev/null', 0, /^$/],
])('output to %s ends with exit code %i', async (file, wanted, sentence) => {
  const checkout = checkoutWith(throwing("process.stdout.write('a policy'); return 0"))
  const out = openSync(file, 'w')
  onTestFinished(() => closeSync(out))
  const child = checkout.start(['assay.js', 'list'], out)
  let err = ''
  child.stderr?.on('data', (chunk) => {
    err += chunk
  })
  const [code] = await once(child, 'close')
  expect([code, err]).toEqual([wanted, expect.stringMatching(sentence)])
})

test('a directory that cannot be made gives one sentence with its path, and no stack trace', async () => {
  const fails = throwing("(await import('node:fs')).mkdirSync('/dev/null/out')")
  expect(await checkoutWith(fails).node('assay.js', 'run')).toEqual({
    code: 2,
    out: '',
    err: 'assay: cannot create /dev/null/out: not a directory\nnext: free disk space, correct the permissions, or name another directory\n',
  })
})
