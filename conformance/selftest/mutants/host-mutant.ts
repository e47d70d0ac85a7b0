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
export function commandOfServers({ roles }: Pick<Target, 'roles'>): StartCommand | undefined {
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
    await host.start(wordsOfServers(read), command.env['ASSAY_CLOCK'])
  } catch (error) {
    host.close()
    throw TAKEN.test(String(error)) ? new SetupFault(String(error), { code: 'D-PORT-BUSY' }) : error
  }
  // From here on the roles count as already running.
  const target = asRunning(read)
  try {
    return { target, deployment: await startDeployment(target, run), end }
  } catch (error) {
    host.close()
    throw error
  }
}

/** Node, the program and its source, before the words of a component. */
const WORDS_BEFORE = 3

/** The words of all servers of a target, which share a process: `verifier … and registrar … and verifier …`. */
export function wordsOfServers({ roles }: Pick<Target, 'roles'>): readonly string[] {
  const first = commandOfServers({ roles })?.command ?? []
  const variants = roles.flatMap(({ role, variants: all = [] }) =>
    all.flatMap(({ start }) => {
      const words = start?.command ?? []
      return ['and', ...words.slice(words.indexOf(role))]
    }),
  )
  return [...first.slice(WORDS_BEFORE), ...variants]
}

/** A target whose servers are not to be started. */
export function asRunning(target: Target): Target {
  return {
    ...target,
    roles: target.roles.map(({ start: _, variants = [], ...role }) => ({
      ...role,
      variants: variants.map(({ start: __, ...variant }) => variant),
    })),
  }
}

/** Ends every host; later runs start new ones. */
export function closeHosts(): void {
  for (const host of idle.splice(0)) host.close()
}
