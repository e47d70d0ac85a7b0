import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Checkout, linkPackages, makeCheckout } from './test-checkout.ts'

const ECHO = `export async function main(argv: readonly string[]): Promise<number> {
  console.log(JSON.stringify(argv))
  return 0
}
`

function readyCheckout(cli = ECHO): Checkout {
  const checkout = makeCheckout()
  linkPackages(checkout)
  checkout.write('conformance/cli.ts', cli)
  return checkout
}

const isDebianRoot = process.getuid?.() === 0 && existsSync('/etc/debian_version')

test('run passes its arguments to assay run, from any directory, and prints nothing itself', async () => {
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
  '%s is forwarded, and the command is awaited',
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

test('an unknown command is rejected with the list of known commands', async () => {
  expect(await readyCheckout().node('bootstrap.js', 'jump')).toEqual({
    code: 2,
    out: '',
    err: 'assay: unknown command "jump"; commands are: run, test, test:all, check, build, look, interop\n',
  })
})

test('installed packages are not installed again', async () => {
  const checkout = readyCheckout()
  await checkout.node('bootstrap.js', 'run')
  expect(existsSync(join(checkout.root, 'npm.words'))).toBe(false)
})

test('a first run installs the packages of a run, prints one line, and hides the output of npm', async () => {
  const prepared = readyCheckout()
  const checkout = makeCheckout()
  checkout.write('conformance/cli.ts', ECHO)
  checkout.program(
    'npm',
    `echo "$@" > ${checkout.root}/npm.words; echo noise; ln -s ${prepared.root}/node_modules ${checkout.root}/node_modules`,
  )
  checkout.program('ln', '/bin/ln "$@"')
  expect(await checkout.node('bootstrap.js', 'run')).toEqual({
    code: 0,
    out: '["run"]\n',
    err: 'assay: installing the packages of package-lock.json: npm ci --omit=dev\n',
  })
  expect(checkout.read('npm.words')).toBe('ci --omit=dev\n')
})

test('packages with another version are installed again, and the first is named', async () => {
  const checkout = readyCheckout()
  const other = { packages: { 'node_modules/esbuild': { version: '3.0.0' } } }
  checkout.write('node_modules/.package-lock.json', JSON.stringify(other))
  expect((await checkout.node('bootstrap.js', 'run')).err).toContain(
    'package-lock.json (esbuild is missing or stale): npm ci --omit=dev',
  )
})

test('a failing npm is reported with its last lines', async () => {
  const checkout = makeCheckout()
  checkout.program('npm', 'echo "npm error code EOFF" >&2; echo "npm error no network" >&2; exit 1')
  const { code, err } = await checkout.node('bootstrap.js', 'test')
  expect(code).toBe(2)
  expect(err).toContain(
    'assay: npm ci --include=dev failed:\nnpm error code EOFF\nnpm error no network\nnext: ',
  )
})

test('a missing npm is reported', async () => {
  const checkout = makeCheckout()
  checkout.remove('npm')
  expect((await checkout.node('bootstrap.js', 'run')).err).toContain(
    'assay: npm is not on PATH\nnext: install npm (it is part of Node), and run the command again\n',
  )
})

test('a missing program that cannot be installed is reported with the command to type', async () => {
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

test('the tests need more programs than a run', async () => {
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

test.runIf(isDebianRoot)(
  'an apt-get that fails twice is reported with its last lines',
  async () => {
    const checkout = readyCheckout()
    checkout.remove('swtpm')
    checkout.program('apt-get', 'echo "E: Unable to locate package swtpm" >&2; exit 100')
    const { code, err } = await checkout.node('bootstrap.js', 'run')
    expect(code).toBe(2)
    expect(err).toContain(
      'assay: apt-get could not install swtpm:\nE: Unable to locate package swtpm\nnext: ',
    )
  },
)
