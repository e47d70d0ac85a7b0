#!/usr/bin/env node
/**
 * The `assay` command: one table from verb to module, and the only file that sees both the harness and the reference.
 * A module is loaded only when its verb is given.
 */
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { completion } from './bootstrap/completion.js'
import { shippedBundle } from './bootstrap/entries.js'
import { keepStack } from './bootstrap/keep-stack.js'
import { checkNode } from './bootstrap/node-version.js'
import { refusalOf } from './bootstrap/refused-files.js'
import { reportWhile } from './bootstrap/report-while.js'
import { nameSourceLines } from './bootstrap/source-lines.js'
import { PACKAGES_MISSING, printFault, Stop } from './bootstrap/stop.js'

const ROOT = new URL('../', import.meta.url)
const OUT = fileURLToPath(new URL('reports/out', ROOT))

/** Bundle and entry point of the modules that run verbs, see bootstrap/entries.js. */
const HARNESS = 'harness/cli'
const REFERENCE = 'reference/main'

/**
 * Lets memory grow to two and a half times what is in use before all of it is collected. Each collection delays every request
 * by some 20 ms, and bodies of 16 MB would otherwise cause several in a second.
 */
const COLLECT_LESS_OFTEN = '--heap-growing-percent=150'

/**
 * Verb -> its module, and a flag of V8.
 * @type {Map<string, { module: string, summary: string, flag?: string }>}
 */
const VERBS = new Map([
  ['run', { module: HARNESS, summary: 'run the scenarios against a target and write the reports' }],
  ['list', { module: HARNESS, summary: 'list the scenarios' }],
  [
    'doctor',
    { module: HARNESS, summary: 'check the set-up of a deployment without running scenarios' },
  ],
  [
    'init',
    { module: HARNESS, summary: 'probe a deployment, ask questions, and write a target file' },
  ],
  [
    'coverage',
    { module: HARNESS, summary: 'count the requirements and those that the last run covered' },
  ],
  ['explain', { module: HARNESS, summary: 'describe a requirement or a scenario' }],
  [
    'inspect',
    {
      module: 'harness/inspect',
      summary: 'decode and explain a quote, measurement list, event log, policy or EK certificate',
    },
  ],
  [
    'report',
    {
      module: HARNESS,
      summary:
        'compare two results (report diff), join shards (report merge), print a transcript (report show)',
    },
  ],
  [
    'bundle',
    { module: 'harness/bundle', summary: 'pack what a run recorded of one scenario into a zip' },
  ],
  [
    'replay',
    {
      module: 'harness/bundle',
      summary: 'run the scenario of a bundle again, with the same choices and virtual TPMs',
    },
  ],
  [
    'watch',
    {
      module: 'harness/watch',
      summary: 'run a target again and again, say what changed, and keep the history',
    },
  ],
  [
    'certify',
    {
      module: 'harness/certify',
      summary: 'run a profile with three seeds and write a signed certificate kit',
    },
  ],
  [
    'certificate',
    {
      module: 'harness/certify',
      summary: 'verify a certificate kit (certificate verify), compare two (certificate compare)',
    },
  ],
  [
    'demo',
    {
      module: 'harness/demo',
      summary: 'attest a virtual machine, tamper with it and recover it, each step explained',
    },
  ],
  [
    'up',
    {
      module: 'harness/playground',
      summary: 'start a playground: both servers, machines with agents, and a prompt',
    },
  ],
  [
    'look',
    {
      module: 'harness/look',
      summary: 'take screenshots of a report in headless Chromium',
    },
  ],
  [
    'verify-evidence',
    { module: REFERENCE, summary: 'evaluate a quote with its logs and policies, offline' },
  ],
  [
    'fuzz',
    {
      module: 'harness/fuzz',
      summary: 'mutate evidence, for an offline evaluator or a deployment',
    },
  ],
  [
    'explore',
    { module: 'harness/explore', summary: 'model-based testing of a verifier or a push agent' },
  ],
  [
    'load',
    {
      module: 'harness/load',
      summary: 'load tests: idle connections (load idle), polled agents (load polls)',
    },
  ],
  [
    'vectors',
    {
      module: 'harness/vectors',
      summary:
        'give evidence with known verdicts to a library (vectors run), write it as files (vectors write), compare two libraries (vectors compare)',
    },
  ],
  [
    'openapi',
    { module: 'harness/openapi', summary: 'print the interface of a component as OpenAPI 3.1' },
  ],
  [
    'mock',
    {
      module: 'harness/openapi',
      summary: 'serve the examples of a component, for people who write clients',
    },
  ],
  ['interop', { module: 'harness/interop', summary: 'test our components with those of Keylime' }],
  ['pki', { module: REFERENCE, summary: 'make a client certificate for another administrator' }],
  ['policy', { module: REFERENCE, summary: 'make a policy from the measurements of a machine' }],
  ['tenant', { module: REFERENCE, summary: 'manage agents and policies as an administrator' }],
  [
    'verifier',
    { module: REFERENCE, summary: 'run the reference verifier', flag: COLLECT_LESS_OFTEN },
  ],
  ['registrar', { module: REFERENCE, summary: 'run the reference registrar' }],
  ['agent', { module: REFERENCE, summary: 'run the reference pull agent, on a TPM or swtpm' }],
  ['push-agent', { module: REFERENCE, summary: 'run the reference push agent, on a TPM or swtpm' }],
  [
    'completion',
    { module: '', summary: 'print a script that completes commands in bash, zsh or fish' },
  ],
])

/** A checkout has sources; a published package has only its build and its data. */
function isCheckout() {
  return ['conformance/cli.ts', 'reference/main.ts'].some((path) => existsSync(new URL(path, ROOT)))
}

/**
 * Returns the folder of the build to run: in a checkout an up-to-date build of its sources, in a package the shipped build.
 * @param {string} name of the bundle
 */
async function findBuild(name) {
  const { ensureBuilt, shippedBuild } = await import('./bootstrap/build.js')
  if (!isCheckout()) return shippedBuild(ROOT, name)
  const bundle = shippedBundle(ROOT, name)
  if (bundle === undefined) return undefined
  const building = ensureBuilt(ROOT, bundle)
  if (!process.stderr.isTTY) return await building
  return await reportWhile(building, (seconds) => `assay: building the sources, ${seconds} s`)
}

function describeVerbs() {
  const width = Math.max(...[...VERBS.keys()].map((verb) => verb.length))
  const lines = [...VERBS].map(([verb, { summary }]) => `  ${verb.padEnd(width)}  ${summary}`)
  return [
    'usage: assay <verb> [options]',
    '',
    ...lines,
    '',
    'Options of a verb: assay <verb> --help',
  ].join('\n')
}

function version() {
  return JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')).version
}

/** @param {string} module */
function absent(module) {
  if (module.startsWith('reference'))
    return new Stop('this copy of Assay carries no reference implementation')
  return new Stop(`this copy of Assay is incomplete: ${module} is missing`)
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
    const sentence = verb === undefined ? 'missing verb' : `unknown verb "${verb}"`
    throw new Stop(`${sentence}; verbs are: ${[...VERBS.keys()].join(', ')}`, 'assay --help')
  }
  if (verb === 'completion') {
    console.log(completion([...VERBS.keys()], words))
    return 0
  }
  // Before the build is loaded: V8 does not take cached code of a process with other flags.
  if (known.flag !== undefined) setFlagsFromString(known.flag)
  const main = await loadMain(verb, known.module)
  return await main([verb, ...words])
}

/** @param {any} error */
function describe(error) {
  if (typeof error?.sentence === 'string') return error
  const message = String(error?.message ?? error)
  const [, absentPackage] = /^Cannot find (?:package|module) '([@\w][^'.]*)'/.exec(message) ?? []
  if (absentPackage !== undefined)
    return isCheckout()
      ? PACKAGES_MISSING
      : new Stop(`the package ${absentPackage} is not installed`, `npm install ${absentPackage}`)
  const refusal = refusalOf(error)
  if (refusal !== undefined) return refusal
  const [first] = message.split('\n')
  return {
    sentence: `unexpected error: ${first}`,
    next: `stack trace: ${keepStack(error, isCheckout() ? [OUT, tmpdir()] : [tmpdir()])}`,
  }
}

/**
 * The next step of a fault; its commands are those of an installed package, if this is one.
 * @param {string | undefined} next
 */
function asTyped(next) {
  const verbs = [...VERBS.keys(), '--help'].join('|')
  return isCheckout()
    ? next
    : next?.replaceAll(new RegExp(`\\bassay (?=(?:${verbs})\\b)`, 'g'), 'npx assay ')
}

/** @param {unknown} error */
function fail(error) {
  const { sentence, code, next } = describe(error)
  printFault({ sentence, code, next: asTyped(next) })
  process.exit(2)
}

process.on('uncaughtException', fail)
/** Errors of a write after the reader of a pipe has closed it, as in `assay list | head`, or the terminal has closed. */
const CLOSED = ['EPIPE', 'EIO']

/**
 * A closed output ends the command without a message. Handlers of SIGHUP clean up as if the terminal had hung up.
 * @param {NodeJS.ErrnoException} error
 */
function hangUp(error) {
  if (!CLOSED.includes(error.code ?? '')) {
    const [why] = error.message.split(',')
    fail(new Stop(`cannot write output: ${why}`, 'free disk space, or redirect the output'))
  }
  if (!process.emit('SIGHUP', 'SIGHUP')) process.exit(2)
}

for (const stream of [process.stdout, process.stderr]) stream.on('error', hangUp)

/**
 * Exits once all output has been flushed: a pipe may take it later than it was written. If the flush fails, the stream's
 * error handler reports it.
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
