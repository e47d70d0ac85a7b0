import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Checkout, lendPackages, makeCheckout } from './test-checkout.ts'

const ECHO = `export async function main(argv: readonly string[]): Promise<number> {
  console.log(JSON.stringify(argv))
  return 0
}
`

function readyCheckout(cli = ECHO): Checkout {
  const checkout = makeCheckout()
  lendPackages(checkout)
  checkout.write('conformance/cli.ts', cli)
  return checkout
}

const isDebianRoot = process.getuid?.() === 0 && existsSync('/etc/debian_version')

test('run hands its words to assay run, from any directory, without a word of its own', async () => {
  expect(await readyCheckout().node('bootstrap.js', 'run', '--seed', '7')).toEqual({
    code: 0,
    out: '["run","--seed","7"]\n',
    err: '',
  })
})

test('the exit code is that of the command', async () => {
  const checkout = readyCheckout('export const main = async () => 1\n')
  expect((await checkout.node('bootstrap.js', 'run')).code).toBe(1)
})

test('a command ended by a signal gives no verdict', async () => {
  const checkout = readyCheckout("export const main = () => process.kill(process.pid, 'SIGKILL')\n")
  expect((await checkout.node('bootstrap.js', 'run')).code).toBe(2)
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s is passed on and its answer waited for',
  async (signal) => {
    const checkout = readyCheckout(`export function main(): Promise<number> {
  setInterval(() => 0, 1000)
  return new Promise((resolve) => {
    process.on('${signal}', () => setTimeout(() => resolve(7), 100))
    console.log('up')
  })
}
`)
    const child = checkout.start(['bootstrap.js', 'run'])
    if (child.stdout !== null) await once(child.stdout, 'data')
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([7, null])
  },
)

test('an unknown verb is refused with those that are known', async () => {
  expect(await readyCheckout().node('bootstrap.js', 'jump')).toEqual({
    code: 2,
    out: '',
    err: 'assay: jump is not one of: run, test, test:all, check, build, look, interop\n',
  })
})

test('packages that are there are not installed again', async () => {
  const checkout = readyCheckout()
  await checkout.node('bootstrap.js', 'run')
  expect(existsSync(join(checkout.root, 'npm.words'))).toBe(false)
})

test('a first run installs what running needs, says so in one line, and hides what npm says', async () => {
  const lender = readyCheckout()
  const checkout = makeCheckout()
  checkout.write('conformance/cli.ts', ECHO)
  checkout.program(
    'npm',
    `echo "$@" > ${checkout.root}/npm.words; echo noise; ln -s ${lender.root}/node_modules ${checkout.root}/node_modules`,
  )
  checkout.program('ln', '/bin/ln "$@"')
  expect(await checkout.node('bootstrap.js', 'run')).toEqual({
    code: 0,
    out: '["run"]\n',
    err: 'assay: installing the packages of package-lock.json: npm ci --omit=dev\n',
  })
  expect(checkout.read('npm.words')).toBe('ci --omit=dev\n')
})

test('packages in another version are installed anew, and the first of them is named', async () => {
  const checkout = readyCheckout()
  const other = { packages: { 'node_modules/esbuild': { version: '3.0.0' } } }
  checkout.write('node_modules/.package-lock.json', JSON.stringify(other))
  expect((await checkout.node('bootstrap.js', 'run')).err).toContain(
    'package-lock.json (esbuild is missing or stale): npm ci --omit=dev',
  )
})

test('a failing npm is told with its last lines', async () => {
  const checkout = makeCheckout()
  checkout.program('npm', 'echo "npm error code EOFF" >&2; echo "npm error no network" >&2; exit 1')
  const { code, err } = await checkout.node('bootstrap.js', 'test')
  expect(code).toBe(2)
  expect(err).toContain(
    'assay: npm ci --include=dev failed:\nnpm error code EOFF\nnpm error no network\nnext: ',
  )
})

test('an npm that is not there is told', async () => {
  const checkout = makeCheckout()
  checkout.remove('npm')
  expect((await checkout.node('bootstrap.js', 'run')).err).toContain(
    'assay: npm is not on PATH\nnext: install it (it comes with Node), and run the command again\n',
  )
})

test('a program that is missing is told with the one command to type, when it cannot be installed', async () => {
  const checkout = readyCheckout()
  checkout.program('dnf', ':')
  checkout.remove('tpm2_quote')
  expect(await checkout.node('bootstrap.js', 'run')).toEqual({
    code: 2,
    out: '',
    err: expect.stringMatching(
      /^assay: tpm2-tools must be installed\nnext: (sudo )?dnf install -y tpm2-tools\n$/,
    ),
  })
})

test('the tests need programs to compare with, which a run does not', async () => {
  const checkout = readyCheckout()
  checkout.program('dnf', ':')
  checkout.program('openssl', ':')
  expect((await checkout.node('bootstrap.js', 'run')).code).toBe(0)
  const { code, err } = await checkout.node('bootstrap.js', 'test')
  expect(code).toBe(2)
  expect(err).toContain('ima-evm-utils must be installed\nnext: ')
})

test.runIf(isDebianRoot)(
  'on Debian, root gets the missing packages, after an update when the first try fails',
  async () => {
    const checkout = readyCheckout()
    checkout.remove('swtpm')
    checkout.program(
      'apt-get',
      `echo "$DEBIAN_FRONTEND $@" >> ${checkout.root}/apt.words
if [ "$1" = update ]; then : > ${checkout.root}/updated; exit 0; fi
[ -e ${checkout.root}/updated ] || exit 100
: > ${checkout.path}/swtpm; chmod 755 ${checkout.path}/swtpm`,
    )
    checkout.program('chmod', '/bin/chmod "$@"')
    expect((await checkout.node('bootstrap.js', 'run')).code).toBe(0)
    const install =
      'noninteractive install -y --no-install-recommends -o DPkg::Lock::Timeout=120 swtpm\n'
    expect(checkout.read('apt.words')).toBe(`${install}noninteractive update\n${install}`)
  },
)

test.runIf(isDebianRoot)('an apt-get that fails twice is told with its last lines', async () => {
  const checkout = readyCheckout()
  checkout.remove('swtpm')
  checkout.program('apt-get', 'echo "E: Unable to locate package swtpm" >&2; exit 100')
  const { code, err } = await checkout.node('bootstrap.js', 'run')
  expect(code).toBe(2)
  expect(err).toContain(
    'assay: apt-get could not install swtpm:\nE: Unable to locate package swtpm\nnext: ',
  )
})
