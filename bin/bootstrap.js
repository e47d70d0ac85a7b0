/**
 * From a fresh clone to a running command: `node bin/bootstrap.js run|test|test:all|check|build|look|interop …`, called by npm's scripts.
 * Imports only Node's own modules, because it installs the packages, and parses on old Node versions so that it can reject them.
 */
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ensureDependencies } from './bootstrap/dependencies.js'
import { shippedBundles } from './bootstrap/entries.js'
import { handOver } from './bootstrap/hand-over.js'
import { checkNode } from './bootstrap/node-version.js'
import { reportWhile } from './bootstrap/report-while.js'
import { printFault, Stop } from './bootstrap/stop.js'
import { ensureSystemPackages } from './bootstrap/system-packages.js'

const ROOT = new URL('../', import.meta.url)
const TPM = { swtpm: 'swtpm', tpm2_quote: 'tpm2-tools' }
/** Programs that only the tests compare results with. */
const ORACLES = { evmctl: 'ima-evm-utils', openssl: 'openssl' }
/** The tests of the full gate start their own PostgreSQL server. */
const DATABASE = { initdb: 'postgresql' }

/** Keylime's servers are installed with Python and read boot logs with efivar. */
const PYTHON = { python3: 'python3', efivar: 'efivar' }

/** @param {string} path */
function inRoot(path) {
  return fileURLToPath(new URL(path, ROOT))
}

/**
 * Builds first, so that parallel processes find the build.
 * @param {string[]} words
 */
async function run(words) {
  const { ensureBuilt } = await import('./bootstrap/build.js')
  const building = Promise.all(shippedBundles(ROOT).map((bundle) => ensureBuilt(ROOT, bundle)))
  await reportWhile(building, (seconds) => `assay: building the sources, ${seconds} s`)
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

/** Builds all bundles of the package, after removing earlier builds. */
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
 * Waits for all steps, even after one has failed: a package manager must not be interrupted. Throws the first failure.
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
    throw new Stop(`unknown command "${name ?? ''}"; commands are: ${[...VERBS.keys()].join(', ')}`)
  await ensureAll([
    ensureDependencies(ROOT, { withDev: verb.withDev }),
    ensureSystemPackages(verb.programs),
  ])
  return await verb.go(words)
}

try {
  process.exitCode = await main()
} catch (error) {
  printFault(error instanceof Stop ? error : { sentence: `unexpected error: ${error}` })
  process.exitCode = 2
}
