import { SetupFault } from '../../input/fault.ts'
import { startDeployment } from '../../target/deployment/deployment.ts'
import { onFreePorts, type StartedTarget } from '../../target/deployment/start-on-free-ports.ts'
import type { TargetSurroundings } from '../../target/load-target.ts'
import type { RunDirectory } from '../../target/processes/run-directory.ts'
import type { StartCommand, Target } from '../../target/target.ts'
import { MutantHost } from './mutant-host.ts'

/** What a mutant says of a port that another process has taken since it was chosen. */
const TAKEN = /port \d+ is busy$/

/** Hosts whose last mutant has ended. One has one mutant at a time: what it does to the process, it does to itself. */
const idle: MutantHost[] = []

/** A mutant that runs in a host; `end` never rejects. */
export interface HostedTarget extends StartedTarget {
  readonly end: () => Promise<void>
}

/** The servers' one command; undefined where a target has none, as those of agents and tenants. */
export function commandOfServers({ roles }: Target): StartCommand | undefined {
  return roles.flatMap(({ start }) => start ?? [])[0]
}

/** Starts the servers of a mutant's target file in a process that has served other mutants, where there is one. */
export function startInHost(
  read: Target,
  surroundings: TargetSurroundings,
  run: RunDirectory,
): Promise<HostedTarget> {
  return onFreePorts(read, surroundings, (target) => startOnce(target, run))
}

async function startOnce(read: Target, run: RunDirectory): Promise<HostedTarget> {
  const command = commandOfServers(read)
  if (command === undefined) throw new Error(`${read.file} starts no server`)
  const host = idle.pop() ?? new MutantHost(command.cwd)
  const end = async () => {
    await host.end().then(
      () => idle.push(host),
      () => host.close(),
    )
  }
  try {
    const [_node, _dev, _source, ...words] = command.command
    await host.start(words, command.env['ASSAY_CLOCK'])
  } catch (error) {
    host.close()
    throw TAKEN.test(String(error)) ? new SetupFault(String(error), { code: 'D-PORT-BUSY' }) : error
  }
  // From here on it is what somebody else has started.
  const target = { ...read, roles: read.roles.map(({ start: _, ...role }) => role) }
  try {
    return { target, deployment: await startDeployment(target, run), end }
  } catch (error) {
    host.close()
    throw error
  }
}

/** Ends every host; whoever judges after it begins with new ones. */
export function closeHosts(): void {
  for (const host of idle.splice(0)) host.close()
}
