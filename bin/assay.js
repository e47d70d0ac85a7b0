#!/usr/bin/env node
/**
 * The `assay` command: one table from verb to module, and the only file that sees both the judge and the judged.
 * Nothing of either side is loaded before its verb is asked for.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shippedBundle } from './bootstrap/entries.js'
import { checkNode } from './bootstrap/node-version.js'
import { nameSourceLines } from './bootstrap/source-lines.js'
import { PACKAGES_MISSING, printFault, Stop } from './bootstrap/stop.js'

const ROOT = new URL('../', import.meta.url)

/** Bundle and entry point of what runs a verb, see bootstrap/entries.js. */
const HARNESS = 'harness/cli'
const REFERENCE = 'reference/main'
const FUZZ = 'reference-fuzz/main'

/**
 * Verb -> its module, or the module that its words ask for.
 * @type {Map<string, { module: string | ((words: string[]) => string), says: string }>}
 */
const VERBS = new Map([
  ['run', { module: HARNESS, says: 'run the scenarios against a target and write the reports' }],
  ['list', { module: HARNESS, says: 'list the scenarios' }],
  ['doctor', { module: HARNESS, says: 'check the set-up of a deployment, without a scenario' }],
  ['init', { module: HARNESS, says: 'probe a deployment, ask, and write a target file' }],
  ['coverage', { module: HARNESS, says: 'count the requirements, and what the last run executed' }],
  ['explain', { module: HARNESS, says: 'describe a requirement or a scenario' }],
  [
    'inspect',
    { module: 'harness/inspect', says: 'decode a quote, a list, a log or a policy, byte by byte' },
  ],
  [
    'report',
    {
      module: HARNESS,
      says: 'compare two results (report diff), print a transcript (report show)',
    },
  ],
  [
    'up',
    {
      module: 'harness/playground',
      says: 'a playground: both servers, machines with agents, and a prompt',
    },
  ],
  [
    'look',
    { module: 'harness/look', says: 'take screenshots of a report in a browser without a network' },
  ],
  [
    'verify-evidence',
    { module: REFERENCE, says: 'evaluate a quote with its logs and policies, offline' },
  ],
  ['fuzz', { module: fuzzer, says: 'mutate evidence: in process, or on the wire with --target' }],
  [
    'explore',
    { module: 'harness/explore', says: 'model-based testing of a verifier or a push agent' },
  ],
  [
    'load',
    {
      module: 'harness/load',
      says: 'load tests: idle connections (load idle), polled agents (load polls)',
    },
  ],
  ['interop', { module: 'harness/interop', says: 'compare each part with another implementation' }],
  ['pki', { module: REFERENCE, says: 'make a client certificate for one more administrator' }],
  ['policy', { module: REFERENCE, says: 'make a policy from what a machine has measured' }],
  ['tenant', { module: REFERENCE, says: 'manage agents and policies, as an administrator' }],
  ['verifier', { module: REFERENCE, says: 'run the reference verifier' }],
  ['registrar', { module: REFERENCE, says: 'run the reference registrar' }],
  ['agent', { module: REFERENCE, says: 'run the reference pull agent, on a TPM or swtpm' }],
  ['push-agent', { module: REFERENCE, says: 'run the reference push agent, on a TPM or swtpm' }],
])

/**
 * With --target the harness fuzzes that deployment over the wire; otherwise the reference is fuzzed in process.
 * @param {string[]} words
 */
function fuzzer(words) {
  const aims = words.some((word) => word === '--target' || word.startsWith('--target='))
  return aims ? 'harness/fuzz' : FUZZ
}

/** A package has data beside its build, and no sources. */
function isCheckout() {
  return ['conformance/cli.ts', 'reference/main.ts'].some((path) => existsSync(new URL(path, ROOT)))
}

/**
 * The folder of the code to run: in a checkout a build of its sources as they are now, in a package what it carries.
 * @param {string} name of the bundle
 */
async function findBuild(name) {
  const { ensureBuilt, shippedBuild } = await import('./bootstrap/build.js')
  if (!isCheckout()) return shippedBuild(ROOT, name)
  const bundle = shippedBundle(ROOT, name)
  return bundle === undefined ? undefined : await ensureBuilt(ROOT, bundle)
}

function describeVerbs() {
  const width = Math.max(...[...VERBS.keys()].map((verb) => verb.length))
  const lines = [...VERBS].map(([verb, { says }]) => `  ${verb.padEnd(width)}  ${says}`)
  return [
    'usage: assay <verb> [options]',
    '',
    ...lines,
    '',
    '  assay <verb> --help says more',
  ].join('\n')
}

function version() {
  return JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')).version
}

/** @param {string} module */
function absent(module) {
  if (module.startsWith('reference'))
    return new Stop('this copy of Assay carries no reference implementation')
  return new Stop(`this copy of Assay is not whole: ${module} is not in it`)
}

/**
 * @param {string} verb
 * @param {string} module
 * @returns {Promise<(argv: readonly string[]) => Promise<number>>}
 */
async function loadMain(verb, module) {
  const [bundle = '', entry = ''] = module.split('/')
  const build = await findBuild(bundle)
  if (build === undefined) throw absent(module)
  nameSourceLines(build, ROOT)
  const { loadBuild } = await import('./bootstrap/load-build.js')
  const loaded = await loadBuild(build, entry, verb)
  if (loaded === undefined) throw absent(module)
  return loaded.main
}

/**
 * @param {string | undefined} verb
 * @param {string[]} words
 */
async function start(verb, words) {
  checkNode(ROOT)
  if (verb === '--version') {
    console.log(`assay ${version()}`)
    return 0
  }
  if (verb === '--help' || verb === 'help') {
    console.log(describeVerbs())
    return 0
  }
  const known = VERBS.get(verb ?? '')
  if (verb === undefined || known === undefined) {
    const sentence = verb === undefined ? 'which verb?' : `${verb} is no verb of assay.`
    throw new Stop(`${sentence} Known are: ${[...VERBS.keys()].join(', ')}`, 'assay --help')
  }
  const { module } = known
  const main = await loadMain(verb, typeof module === 'string' ? module : module(words))
  return await main([verb, ...words])
}

/**
 * The stacks of an error and of its causes. Their other properties stay out: they may hold keys and tokens.
 * @param {unknown} error
 * @returns {string}
 */
function stacksOf(error) {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\ncaused by: ${stacksOf(error.cause)}`
  return `${error.stack ?? error.message}${cause}`
}

/**
 * Keeps the stack where the person can find it, and returns the file.
 * @param {unknown} error
 */
function keepStack(error) {
  const name = `assay-fault-${new Date().toISOString().replace(/[:.]/g, '-')}-${process.pid}.txt`
  const out = fileURLToPath(new URL('reports/out', ROOT))
  for (const directory of isCheckout() ? [out, tmpdir()] : [tmpdir()]) {
    try {
      mkdirSync(directory, { recursive: true })
      writeFileSync(join(directory, name), `${stacksOf(error)}\n`, { mode: 0o600 })
      return join(directory, name)
    } catch {
      // A read-only checkout still has a temporary directory.
    }
  }
  return 'nowhere: no directory could be written'
}

/** @param {any} error */
function describe(error) {
  if (typeof error?.sentence === 'string') return error
  const message = String(error?.message ?? error)
  if (error?.code === 'ERR_MODULE_NOT_FOUND' && message.startsWith('Cannot find package'))
    return PACKAGES_MISSING
  const [first] = message.split('\n')
  return { sentence: `unexpected fault: ${first}`, next: `details are in ${keepStack(error)}` }
}

/** @param {unknown} error */
function fail(error) {
  printFault(describe(error))
  process.exit(2)
}

process.on('uncaughtException', fail)
/** What a write ends with when the reader of a pipe has gone, as in `assay list | head`, or the terminal. */
const GONE = ['EPIPE', 'EIO']

/**
 * Nobody is left to tell, where the reader has gone. Whoever has something to put away does it as if the terminal had hung up.
 * @param {NodeJS.ErrnoException} error
 */
function hangUp(error) {
  if (!GONE.includes(error.code ?? '')) {
    const [why] = error.message.split(',')
    fail(new Stop(`what there is to say cannot be written (${why})`, 'make room where it goes'))
  }
  if (!process.emit('SIGHUP', 'SIGHUP')) process.exit(2)
}

for (const stream of [process.stdout, process.stderr]) stream.on('error', hangUp)

/**
 * Ends once everything that was said has been handed over: a pipe may take it later than it was written. Where it cannot be,
 * the stream is about to say why.
 * @param {number} code
 */
function end(code) {
  process.exitCode = 2
  process.stdout.write('', (error) => {
    if (error === null || error === undefined) process.exit(code)
  })
}

const [verb, ...words] = process.argv.slice(2)
start(verb, words).then(end, fail)
