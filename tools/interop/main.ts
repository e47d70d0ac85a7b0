import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { SetupFault } from '../../conformance/input/fault.ts'
import { packageRoot } from '../../conformance/input/package-root.ts'
import { parse } from '../../conformance/options/cli-options.ts'
import { type Console, openConsole } from '../../conformance/report/console/open-console.ts'
import { wholeSeconds } from '../../conformance/report/console/present-times.ts'
import { openMachineFactory } from '../../conformance/runner/make-environment.ts'
import { startOnFreePorts } from '../../conformance/target/deployment/start-on-free-ports.ts'
import { loadTarget } from '../../conformance/target/load-target.ts'
import { closeOnSignal } from '../../conformance/target/processes/close-on-signal.ts'
import {
  createRunDirectory,
  type RunDirectory,
} from '../../conformance/target/processes/run-directory.ts'
import { createManufacturer } from '../../simulator/swtpm/manufacturer.ts'
import { measureAll } from './beside/measure-all.ts'
import type { InteropEnvironment, OurServers } from './environment.ts'
import { interopTests, suiteTests } from './interop-tests.ts'
import {
  exitCodeOf,
  presentReleases,
  presentResults,
  presentTestResult,
  type ReleaseResults,
} from './present-results.ts'
import { makePythonEnvironment, type PythonEnvironment } from './python-environment.ts'
import { runTests } from './run-tests.ts'
import { startUpstream } from './start-upstream.ts'
import { rustAgents as rustAgentTests } from './tests/rust-agents.ts'
import { makeSocketDirectory, prepareUpstream } from './upstream-places.ts'

interface InteropOptions {
  readonly only: readonly string[]
  /** Patterns of the suite's scenarios; all scenarios if the list is empty. */
  readonly scenario: readonly string[]
  readonly accept?: boolean
  readonly rustAgents?: string
  /** Measure the servers of both in place of testing them. */
  readonly beside?: boolean
  /** Releases of Keylime, one after the other; the pinned one if the list is empty. */
  readonly release: readonly string[]
  readonly out: string
}

function also(value: string, all: readonly string[]): readonly string[] {
  return [...all, value]
}

function release(value: string, all: readonly string[]): readonly string[] {
  if (/^\d+(\.\d+)+$/.test(value)) return also(value, all)
  throw new SetupFault(`--release ${value} is not a version`, { next: 'give one such as 7.14.2' })
}

/** The options; undefined if it printed the help. */
function parseInteropOptions(argv: readonly string[]): InteropOptions | undefined {
  const command = new Command('assay interop')
    .description(
      'tests our agents, servers, tenant and suite with those of Keylime on this machine',
    )
    .option('--only <id>', 'run only this test; can be repeated', also, [])
    .option(
      '--scenario <pattern>',
      'run only these scenarios of the suite; can be repeated',
      also,
      [],
    )
    .option(
      '--rust-agents <directory>',
      'test its Rust agents too: the directory with keylime_agent and keylime_push_model_agent',
      (directory: string) => resolve(directory),
    )
    .option(
      '--release <version>',
      'test with this release, such as 7.14.2, in place of the pinned one; can be repeated',
      release,
      [],
    )
    .option(
      '--beside',
      "measures the CPU time of our servers and Keylime's for the same work, and runs no test",
    )
    .option('--accept', 'accept the results of the suite: later runs are compared with them')
    .option('--out <directory>', 'directory for logs and reports', 'reports/out/interop')
  return parse(command, argv)?.opts<InteropOptions>()
}

const OURS = join(packageRoot(), 'reference', 'assay.target.yaml')

function portOf(url = ''): number {
  return Number(new URL(url).port)
}

async function startOurs(run: RunDirectory, ekCa: string): Promise<OurServers> {
  const surroundings = { run: run.path, ekCa, env: process.env }
  const read = await loadTarget(OURS, surroundings)
  const started = await startOnFreePorts(read, surroundings, run)
  const { target } = started
  const roleOf = (wanted: string) => target.roles.find(({ role }) => role === wanted)
  return {
    started,
    directory: run.path,
    verifier: portOf(roleOf('verifier')?.url),
    registrar: portOf(roleOf('registrar')?.url),
    registrarHttp: portOf(roleOf('registrar')?.http),
  }
}

/** Starts the servers of both implementations. */
async function makeInteropEnvironment(
  run: RunDirectory,
  { scenario: scenarios, accept: accepts = false, rustAgents }: InteropOptions,
  python: PythonEnvironment,
  { say, does }: Console,
): Promise<InteropEnvironment> {
  does((ms) => `  starting servers, ${wholeSeconds(ms)}`)
  const manufacturer = await createManufacturer({ now: new Date() })
  const store = join(run.path, 'tpm_cert_store')
  mkdirSync(store)
  const ekCa = join(store, 'ek-ca.pem')
  writeFileSync(ekCa, manufacturer.certificatePem)
  const places = await prepareUpstream(python, run, store)
  say("starting Keylime's registrar and two verifiers, and our own servers")
  const upstream = await startUpstream(places, run)
  const ours = await startOurs(run, ekCa)
  const factory = await openMachineFactory(manufacturer, run)
  return { places, upstream, run, factory, ekCa, ours, scenarios, accepts, rustAgents }
}

function chosen({ only, rustAgents }: InteropOptions) {
  const withRust = rustAgents === undefined ? [] : rustAgentTests
  const all = [...interopTests, ...withRust, ...suiteTests]
  const unknown = only.find((id) => all.every((interopTest) => interopTest.id !== id))
  if (unknown === undefined) return all.filter(({ id }) => only.length === 0 || only.includes(id))
  const next = `use one of ${all.map(({ id }) => id).join(', ')}`
  throw new SetupFault(`unknown interop test ${unknown}`, { next })
}

/** Runs the tests with one release, or measures its servers. */
async function interop(options: InteropOptions, version?: string): Promise<ReleaseResults> {
  const selected = chosen(options)
  const console = openConsole({ stream: process.stdout })
  const run = createRunDirectory(options.out)
  const undo = closeOnSignal(() => {
    console.interrupted()
    return run.close()
  })
  const removeSockets = makeSocketDirectory()
  try {
    const python = await makePythonEnvironment(console, version)
    const environment = await makeInteropEnvironment(run, options, python, console)
    if (options.beside === true) {
      await measureAll(environment, console)
      return { release: python.release, results: [] }
    }
    const results = await runTests(selected, environment, {
      onStart: (started, at) => {
        const ids = started.map(({ id }) => id).join(' and ')
        const test = `test ${at + started.length} of ${selected.length}`
        console.does((ms) => `  ${ids}, ${test}, ${wholeSeconds(ms)}`)
      },
      onResult: (result) => console.say(presentTestResult(result)),
    })
    console.say(presentResults(results))
    return { release: python.release, results }
  } finally {
    await run.close()
    removeSockets()
    undo()
    console.close()
    console.say(`logs: ${join(run.path, 'logs')}`)
  }
}

/** `assay interop`; `argv[0]` is the verb. Returns 0 if all tests agree, 1 if one differs, 2 if one has no verdict. */
export async function main([, ...words]: readonly string[]): Promise<number> {
  const options = parseInteropOptions(words)
  if (options === undefined) return 0
  const all: ReleaseResults[] = []
  const releases = options.release.length === 0 ? [undefined] : options.release
  for (const version of releases) all.push(await interop(options, version))
  if (all.length > 1) process.stdout.write(`${presentReleases(all)}\n`)
  return exitCodeOf(all.flatMap(({ results }) => results))
}
