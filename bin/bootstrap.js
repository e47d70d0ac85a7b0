/**
 * The way from a fresh clone to a running command: `node bin/bootstrap.js run|test|test:all|check|build|look|interop …`, called by npm's scripts.
 * Imports nothing but Node itself, since it is what installs the rest, and runs on any Node far enough to complain.
 */
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ensureDependencies } from './bootstrap/dependencies.js'
import { shippedBundles } from './bootstrap/entries.js'
import { handOver } from './bootstrap/hand-over.js'
import { checkNode } from './bootstrap/node-version.js'
import { printFault, Stop } from './bootstrap/stop.js'
import { ensureSystemPackages } from './bootstrap/system-packages.js'

const ROOT = new URL('../', import.meta.url)
const TPM = { swtpm: 'swtpm', tpm2_quote: 'tpm2-tools' }
/** What the tests compare themselves with, beyond what a run needs. */
const ORACLES = { evmctl: 'ima-evm-utils', openssl: 'openssl' }
/** The tests of the full gate start a server of their own of it. */
const DATABASE = { initdb: 'postgresql' }

/** What the servers of the other implementation are installed with, and what they read boot logs with. */
const PYTHON = { python3: 'python3', efivar: 'efivar' }

/** @param {string} path */
function inRoot(path) {
  return fileURLToPath(new URL(path, ROOT))
}

/**
 * Builds first, so that none of the processes that run side by side has to.
 * @param {string[]} words
 */
async function run(words) {
  const { ensureBuilt } = await import('./bootstrap/build.js')
  await Promise.all(shippedBundles(ROOT).map((bundle) => ensureBuilt(ROOT, bundle)))
  return await handOver([inRoot('bin/assay.js'), 'run', ...words])
}

const VITEST = inRoot('node_modules/vitest/vitest.mjs')

/** @param {string[]} words */
async function test(words) {
  return await handOver([VITEST, 'run', ...words], { cwd: inRoot('.') })
}

/** @param {string[]} words */
async function testAll(words) {
  const env = { ...process.env, ASSAY_TESTS: 'all' }
  return await handOver([VITEST, 'run', ...words], { cwd: inRoot('.'), env })
}

async function check() {
  const cwd = inRoot('.')
  const types = await handOver([inRoot('node_modules/ts7/bin/tsc'), '-p', '.'], { cwd })
  if (types !== 0) return types
  return await handOver([inRoot('node_modules/@biomejs/biome/bin/biome'), 'check'], { cwd })
}

/** Builds everything that a package carries, and nothing that an earlier state of the sources has left. */
async function build() {
  const { ensureBuilt } = await import('./bootstrap/build.js')
  rmSync(inRoot('dist'), { recursive: true, force: true })
  for (const bundle of shippedBundles(ROOT)) await ensureBuilt(ROOT, bundle)
  return 0
}

/** @param {string[]} words */
async function look(words) {
  return await handOver([inRoot('bin/assay.js'), 'look', ...words])
}

/** @param {string[]} words */
async function interop(words) {
  return await handOver([inRoot('bin/assay.js'), 'interop', ...words])
}

/** @type {Map<string | undefined, { withDev: boolean, programs: Record<string, string>, go: (words: string[]) => Promise<number> }>} */
const VERBS = new Map([
  ['run', { withDev: false, programs: TPM, go: run }],
  ['test', { withDev: true, programs: { ...TPM, ...ORACLES }, go: test }],
  ['test:all', { withDev: true, programs: { ...TPM, ...ORACLES, ...DATABASE }, go: testAll }],
  ['check', { withDev: true, programs: {}, go: check }],
  ['build', { withDev: false, programs: {}, go: build }],
  ['look', { withDev: true, programs: { chromium: 'chromium' }, go: look }],
  ['interop', { withDev: false, programs: { ...TPM, ...PYTHON }, go: interop }],
])

/**
 * Waits for all of them, also when one has failed: a package manager must not be left halfway. Throws the first failure.
 * @param {readonly Promise<void>[]} steps
 */
async function ensureAll(steps) {
  for (const result of await Promise.allSettled(steps))
    if (result.status === 'rejected') throw result.reason
}

async function main() {
  const [name, ...words] = process.argv.slice(2)
  checkNode(ROOT)
  const verb = VERBS.get(name)
  if (verb === undefined)
    throw new Stop(`${name ?? 'nothing'} is not one of: ${[...VERBS.keys()].join(', ')}`)
  await ensureAll([
    ensureDependencies(ROOT, { withDev: verb.withDev }),
    ensureSystemPackages(verb.programs),
  ])
  return await verb.go(words)
}

try {
  process.exitCode = await main()
} catch (error) {
  printFault(error instanceof Stop ? error : { sentence: `unexpected fault: ${error}` })
  process.exitCode = 2
}
