import { SetupFault } from '../../input/fault.ts'
import { loadTarget, type TargetSurroundings } from '../load-target.ts'
import { portTrouble } from '../processes/free-port.ts'
import type { RunDirectory } from '../processes/run-directory.ts'
import type { Target } from '../target.ts'
import { type Deployment, startDeployment } from './deployment.ts'

const ATTEMPTS = 3

/** What programs of any make say of a port that another has taken. */
const TAKEN = /EADDRINUSE|address (is )?already in use|AddrInUse|port \d+ is (busy|taken|in use)/i

/** What was started, and the target as it was started. */
export interface StartedTarget {
  readonly target: Target
  readonly deployment: Deployment
}

function portsOf({ roles }: Target): readonly number[] {
  const urls = roles.flatMap(({ url, http }) => (http === undefined ? [url] : [url, http]))
  return urls.map((url) => Number(new URL(url).port || 443))
}

async function isAnyTaken(ports: readonly number[]): Promise<boolean> {
  const troubles = await Promise.all(ports.map((port) => portTrouble(port, '127.0.0.1')))
  return troubles.includes('EADDRINUSE')
}

/** Whether somebody else listened first: a role says so as it ends, or the port is seen to be held. */
async function isLostPort(error: unknown, target: Target): Promise<boolean> {
  if (!(error instanceof SetupFault)) return false
  if (error.code === 'D-PORT-BUSY') return true
  if (error.code !== 'D-START-EXITED') return false
  return TAKEN.test(error.sentence) || (await isAnyTaken(portsOf(target)))
}

/** Whether the ports were chosen here: of a file that names its ports, another reading says the same. */
function areOthers(one: Target, other: Target): boolean {
  return portsOf(one).join() !== portsOf(other).join()
}

/**
 * Starts what a target file says, by `start`. Between choosing a free port and a role's listening on it nobody holds it;
 * when another process was quicker, the file is read again, and `${port.NAME}` chosen again, three times in all.
 * `surroundings` are those that `read` was read with. Throws what `start` throws.
 */
export async function onFreePorts<Started>(
  read: Target,
  surroundings: TargetSurroundings,
  start: (target: Target) => Promise<Started>,
): Promise<Started> {
  let target = read
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(target)
    } catch (error) {
      if (attempt === ATTEMPTS || !(await isLostPort(error, target))) throw error
      const other = await loadTarget(read.file, surroundings)
      if (!areOthers(target, other)) throw error
      target = other
    }
  }
}

/** Starts every role that a target file says how to start. Throws a {@link SetupFault}. */
export function startOnFreePorts(
  read: Target,
  surroundings: TargetSurroundings,
  run: RunDirectory,
): Promise<StartedTarget> {
  return onFreePorts(read, surroundings, async (target) => ({
    target,
    deployment: await startDeployment(target, run),
  }))
}
