import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunResult } from '../../../conformance/report/result.ts'
import { acceptResults, expectAccepted, loadAccepted } from '../accepted-results.ts'
import { type Counts, classOf, countsOf, presentCounts } from '../counts.ts'
import { Disagreement } from '../disagreement.ts'
import { ASSAY, type InteropEnvironment, runToEnd } from '../environment.ts'
import type { InteropTest } from '../interop-test.ts'
import type { ServerName } from '../start-upstream.ts'
import { POLLED_AGENTS, type SuiteSubject, writeTarget } from '../suite-target.ts'

const SUITE_MS = 60 * 60_000
/** Scenarios at once: more of them wait for the servers, which work for one at a time, until their time is over. */
const AT_ONCE = ['--jobs', '2']

/**
 * Runs the suite against one server, compares the result of each scenario with the accepted one, and counts them. Throws
 * a {@link Disagreement} without a result or with a fault of the suite, and an Error if nothing has been accepted.
 */
async function runSuite(
  environment: InteropEnvironment,
  subject: SuiteSubject & {
    readonly server: ServerName
    /** Versions whose scenarios are run; default: all. */
    readonly judged?: readonly string[]
  },
): Promise<Counts> {
  const out = join(environment.run.path, subject.id)
  const words = ['run', '--target', writeTarget(environment, subject), '--role', subject.role]
  const only = environment.scenarios.flatMap((pattern) => ['--only', pattern])
  // A fixed seed, so that two runs make the same random choices; one for each suite, as they share a registrar, where the
  // same seed would give the agents of both the same ids.
  const fixed = ['--seed', `interop-${subject.id}`, ...AT_ONCE]
  const judged = (subject.judged ?? []).flatMap((version) => ['--version', version])
  const all = [process.execPath, ASSAY, ...words, ...fixed, ...judged, '--out', out, ...only]
  const program = { name: subject.id, words: all }
  const servers = ['keylime-registrar', subject.server] as const
  const { value: ran, restarted } = await environment.upstream.keep(servers, () =>
    runToEnd(environment, program, SUITE_MS),
  )
  const file = join(out, 'result.json')
  if (ran.code === null || !existsSync(file))
    throw new Disagreement('the suite', 'a result', ran.output.trim().slice(-600))
  const result: RunResult = JSON.parse(readFileSync(file, 'utf8'))
  const faults = result.scenarios.filter(({ outcome }) => outcome === 'harness-fault')
  if (faults.length > 0)
    throw new Disagreement(
      'the suite',
      'no fault of its own',
      faults.map(({ id, version, reason }) => `${id}@${version}: ${reason}`).join('; '),
    )
  const isWhole = environment.scenarios.length === 0
  const counts = countsOf(result.scenarios.map(({ outcome }) => outcome))
  const seen = Object.fromEntries([
    ...result.scenarios.map(({ id, version, outcome }) => [`${id}@${version}`, classOf(outcome)]),
    ...(isWhole ? [['the run', result.verdict]] : []),
    ...restarted.map((name) => [`server ${name}`, 'restarted']),
  ])
  const kept = `${environment.places.python.directory}-${subject.id}.accepted.json`
  if (environment.accepts) {
    acceptResults(kept, seen, isWhole)
    return counts
  }
  const accepted = loadAccepted(kept)
  if (accepted === undefined)
    throw new Error(
      `${presentCounts(counts)}, and none accepted before; read ${join(out, 'report.html')}, then add --accept`,
    )
  expectAccepted(accepted, seen, isWhole)
  return counts
}

export const suiteOnRegistrar: InteropTest = {
  id: 'suite-registrar',
  title: "our suite has the accepted results with Keylime's registrar",
  beside: true,
  run: (environment) =>
    runSuite(environment, {
      id: 'suite-registrar',
      role: 'registrar',
      server: 'keylime-pull',
      versions: ['2.1', '2.2', '2.3', '2.4', '2.5'],
      directory: environment.places.directory,
      verifier: environment.places.ports.pull,
      capabilities: ['pull_mode', 'ima_log'],
      dialect: POLLED_AGENTS,
    }),
}

export const suiteOnPullVerifier: InteropTest = {
  id: 'suite-pull',
  title: "our suite has the accepted results with Keylime's polling verifier",
  beside: true,
  run: (environment) =>
    runSuite(environment, {
      id: 'suite-pull',
      role: 'verifier',
      server: 'keylime-pull',
      versions: ['2.1', '2.2', '2.3', '2.4', '2.5'],
      judged: ['2.1', '2.5'],
      directory: environment.places.directory,
      verifier: environment.places.ports.pull,
      capabilities: ['pull_mode', 'ima_log', 'uefi_log'],
      dialect: POLLED_AGENTS,
    }),
}

export const suiteOnPushVerifier: InteropTest = {
  id: 'suite-push',
  title: "our suite has the accepted results with Keylime's verifier for push agents",
  beside: true,
  run: (environment) =>
    runSuite(environment, {
      id: 'suite-push',
      role: 'verifier',
      server: 'keylime-push',
      versions: ['2.5', '3.0'],
      judged: ['3.0'],
      directory: environment.places.pushDirectory,
      verifier: environment.places.ports.push,
      capabilities: ['ima_log', 'uefi_log'],
    }),
}
