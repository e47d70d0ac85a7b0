import type { MachineFactory } from '../../../conformance/client/agents/machine-options.ts'
import { SetupFault } from '../../../conformance/input/fault.ts'
import { makeEnvironment } from '../../../conformance/runner/make-environment.ts'
import type { RunEnvironment } from '../../../conformance/runner/run-environment.ts'
import { runScenario } from '../../../conformance/runner/run-scenario.ts'
import type { Context } from '../../../conformance/scenario.ts'
import { chooseDialect } from '../../../conformance/target/choose-dialect.ts'
import type { Deployment } from '../../../conformance/target/deployment/deployment.ts'
import { NO_DEVIATIONS } from '../../../conformance/target/deviations.ts'
import type { RunDirectory } from '../../../conformance/target/processes/run-directory.ts'
import type { Target } from '../../../conformance/target/target.ts'
import { cpuOfGroup } from './process-group.ts'
import type { Once, Work } from './works.ts'

/** An implementation: its servers with the process group of each. */
export interface Side {
  readonly target: Target
  readonly deployment: Deployment
  readonly groups: Readonly<Record<Work['server'], number>>
}

/** Milliseconds for one piece of work. */
interface Cost {
  /** Of CPU time of the server. */
  readonly cpu: number
  /** Of the time that passed, divided by the number of pieces. */
  readonly wall: number
}

/** The costs at both sides, each the median of the rounds. */
export interface Measured {
  readonly work: Work
  readonly ours: Cost
  readonly theirs: Cost
}

/** What both sides have in common. */
interface Shared {
  readonly run: RunDirectory
  readonly factory: MachineFactory
}

const ROUNDS = 3
const MOST_MS = 600_000

/** Measures a work at both sides in turns. Throws if one of them does not do it. */
export async function measureBeside(
  work: Work,
  [ours, theirs]: readonly [Side, Side],
  shared: Shared,
): Promise<Measured> {
  const at = (side: Side) => environmentOf(side, shared)
  const costs: { readonly ours: Cost[]; readonly theirs: Cost[] } = { ours: [], theirs: [] }
  await within(at(ours), work, 'ours', async (own) => {
    await within(at(theirs), work, 'theirs', async (other) => {
      // Prepared anew for each round: an agent would be silent for too long while the other side works.
      for (let round = 0; round < ROUNDS; round++) {
        costs.ours.push(await costOf(work, await work.prepare(own), ours))
        costs.theirs.push(await costOf(work, await work.prepare(other), theirs))
      }
    })
  })
  return { work, ours: medianOf(costs.ours), theirs: medianOf(costs.theirs) }
}

function environmentOf({ target, deployment }: Side, { run, factory }: Shared): RunEnvironment {
  const interrupted = new AbortController().signal
  const environment = makeEnvironment({
    ...{ target, deployment, run, factory, interrupted, rows: [], seed: 'beside' },
    ...{ dialect: chooseDialect(target.dialect), deviations: NO_DEVIATIONS },
  })
  return { ...environment, scenarioMs: MOST_MS }
}

/** Does the body with the clients and machines of a scenario, and cleans up. */
async function within(
  environment: RunEnvironment,
  { name, version, server }: Work,
  side: string,
  body: (context: Context) => Promise<void>,
): Promise<void> {
  let failure: unknown
  const run = async (context: Context) => {
    try {
      await body(context)
    } catch (error) {
      failure = error
      throw error
    }
  }
  const head = { id: `beside.${side}`, title: name, requirements: [], role: server, since: version }
  await runScenario(environment, { scenario: { ...head, run }, version }, side)
  if (failure instanceof Error)
    throw new SetupFault(`${side} did not do ${name}: ${failure.message}`)
}

async function costOf(
  { times, clients = 1, server }: Work,
  once: Once,
  { groups }: Side,
): Promise<Cost> {
  await repeat(once, times / 10, clients)
  const [before, began] = [cpuOfGroup(groups[server]), performance.now()]
  await repeat(once, times, clients)
  const wall = (performance.now() - began) / times
  const cpu = (cpuOfGroup(groups[server]) - before) / times
  await once.end?.()
  return { cpu, wall }
}

async function repeat(once: Once, times: number, clients: number): Promise<void> {
  let begun = 0
  const client = async () => {
    while (begun++ < times) await once()
  }
  await Promise.all(Array.from({ length: clients }, client))
}

function medianOf(costs: readonly Cost[]): Cost {
  const median = (of: keyof Cost) =>
    costs.map((cost) => cost[of]).toSorted((one, other) => one - other)[
      Math.floor(costs.length / 2)
    ] ?? Number.NaN
  return { cpu: median('cpu'), wall: median('wall') }
}
