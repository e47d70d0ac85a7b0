import { SetupFault } from '../../input/fault.ts'
import { startDeployment } from '../../target/deployment/deployment.ts'
import { onFreePorts, type StartedTarget } from '../../target/deployment/start-on-free-ports.ts'
import type { TargetSurroundings } from '../../target/load-target.ts'
import type { RunDirectory } from '../../target/processes/run-directory.ts'
import type { StartCommand, Target } from '../../target/target.ts'
import { MutantHost } from './mutant-host.ts'

/** The message of a mutant whose port another process has taken. */
const TAKEN = /port \d+ is busy$/

/** Hosts without a running mutant. A host has one mutant at a time, since a mutant may change its whole process. */
const idle: MutantHost[] = []

/** A mutant that runs in a host; `end` never rejects. */
export interface HostedTarget extends StartedTarget {
  readonly end: () => Promise<void>
}

/**
 * The one command that starts the servers; undefined for targets without one, such as those of agents and tenants.
 */
export function commandOfServers({ roles }: Target): StartCommand | undefined {
  return roles.flatMap(({ start }) => start ?? [])[0]
}

/** Starts the servers of a mutant's target file, in an idle host if there is one. */
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
  // From here on the roles count as already running.
  const target = { ...read, roles: read.roles.map(({ start: _, ...role }) => role) }
  try {
    return { target, deployment: await startDeployment(target, run), end }
  } catch (error) {
    host.close()
    throw error
  }
}

/** Ends every host; later runs start new ones. */
export function closeHosts(): void {
  for (const host of idle.splice(0)) host.close()
}
