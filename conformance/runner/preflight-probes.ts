import { startMachine } from '../../simulator/machine/machine.ts'
import { DIALECTS, type Dialect } from '../dialects/dialect.ts'
import type { DialectAnswer, DialectProbe } from '../preflight/examination.ts'
import type { ExamineOptions } from '../preflight/examine.ts'
import type { Context, Scenario } from '../scenario.ts'
import { NO_DEVIATIONS } from '../target/deviations.ts'
import { probeCapabilities } from './capability-probes.ts'
import { type EnvironmentParts, makeEnvironment } from './make-environment.ts'
import { runScenario } from './run-scenario.ts'

/**
 * The preflight checks that need a machine: whether the deployment trusts its EK certificate, whether it accepts the
 * dialect of the target file, and which capabilities it has.
 */
export function preflightProbes(
  parts: EnvironmentParts,
): Pick<ExamineOptions, 'startMachine' | 'dialectProbes' | 'probeCapabilities'> {
  const { factory, target } = parts
  return {
    startMachine: () => startMachine({ ...factory, name: 'doctor' }),
    dialectProbes: target.roles.length === 2 ? [dialectProbe(parts)] : [],
    ...(target.roles.length === 2 && { probeCapabilities: () => probeCapabilities(parts) }),
  }
}

function dialectProbe(parts: EnvironmentParts): DialectProbe {
  const named = parts.target.dialect.base
  return {
    what: 'dialect',
    run: () => compareDialects(named, (name) => troubleWith(parts, name)),
  }
}

/**
 * Distinguishes a deployment that rejects the dialect of its target file, and accepts another, from one that accepts
 * none: in the first case the target file is wrong, in the second the run goes on.
 *
 * @param troubleWith why the deployment does not complete the enrolment of an agent in that dialect; undefined if it does
 */
export async function compareDialects(
  named: string,
  troubleWith: (name: string) => Promise<string | undefined>,
): Promise<DialectAnswer> {
  const trouble = await troubleWith(named)
  if (trouble === undefined) {
    return {
      verdict: 'accepted',
      detail: `the deployment enrols an agent in the dialect ${named}`,
    }
  }
  for (const other of Object.keys(DIALECTS).filter((name) => name !== named)) {
    if ((await troubleWith(other)) === undefined) {
      return {
        verdict: 'rejected',
        detail: `the deployment rejects the dialect ${named}, and accepts ${other}`,
        next: `write dialect: ${other} in the target file`,
        suggests: other,
      }
    }
  }
  return {
    verdict: 'unclear',
    detail: `no dialect completes the enrolment of an agent: ${trouble}`,
  }
}

/** The enrolment of an agent, with evidence if the version has a request for it; every registration is deleted afterwards. */
const ENROLMENT: Scenario = {
  id: 'doctor.dialect',
  title: 'The verifier accepts evidence of an enrolled agent',
  requirements: ['D-DIALECT'],
  role: 'verifier',
  since: '2.1',
  async run({ version, machines, check }) {
    check('D-DIALECT', 'evidence')
      .of(version === '3.0' ? await sendEvidence(machines) : await addPolledAgent(machines))
      .isOneOf([200, 202])
  },
}

async function sendEvidence(machines: Context['machines']): Promise<number | undefined> {
  const agent = await machines.pushAgent()
  return (await agent.submit(await agent.negotiate())).status
}

/** With an address, which a verifier that polls needs. @throws {PrerequisiteFailed} if it is not added */
async function addPolledAgent(machines: Context['machines']): Promise<number> {
  await machines.pullAgent({ measured: false })
  return 200
}

/** The reason why an enrolment in a dialect fails; undefined if it succeeds. */
export async function troubleWith(
  parts: EnvironmentParts,
  name: string,
): Promise<string | undefined> {
  const { target } = parts
  const shipped: Readonly<Record<string, Dialect>> = DIALECTS
  const dialect = name === target.dialect.base ? parts.dialect : shipped[name]
  const version = target.versions.includes('3.0') ? '3.0' : target.versions.at(-1)
  if (dialect === undefined || version === undefined) return 'no version is tested'
  const environment = makeEnvironment({ ...parts, dialect, deviations: NO_DEVIATIONS })
  const result = await runScenario(environment, { scenario: ENROLMENT, version }, `d-${name}`)
  return result.outcome === 'pass' ? undefined : (result.reason ?? result.outcome)
}
