import { SetupFault } from '../../input/fault.ts'
import type { SetupStep } from '../../report/result.ts'
import { loadTarget, type TargetSurroundings } from '../load-target.ts'
import { portTrouble } from '../processes/free-port.ts'
import type { RunDirectory } from '../processes/run-directory.ts'
import type { Target } from '../target.ts'
import { type Deployment, startDeployment } from './deployment.ts'

const ATTEMPTS = 3

/** Common messages of programs whose port is in use. */
const TAKEN = /EADDRINUSE|address (is )?already in use|AddrInUse|port \d+ is (busy|taken|in use)/i

/** The started deployment, and its target with the ports used. */
export interface StartedTarget {
  readonly target: Target
  readonly deployment: Deployment
}

function portsOf({ roles }: Target): readonly number[] {
  const urls = roles.flatMap(({ url, http, variants = [] }) => [
    ...[url, ...variants.map((one) => one.url)],
    ...(http === undefined ? [] : [http]),
  ])
  return urls.map((url) => Number(new URL(url).port || 443))
}

async function isAnyTaken(ports: readonly number[]): Promise<boolean> {
  const reasons = await Promise.all(ports.map((port) => portTrouble(port, '127.0.0.1')))
  return reasons.includes('EADDRINUSE')
}

/** True if another process took the port first: the role reports it, or something listens there. */
async function isPortTaken(error: unknown, target: Target): Promise<boolean> {
  if (!(error instanceof SetupFault)) return false
  if (error.code === 'D-PORT-BUSY') return true
  if (error.code !== 'D-START-EXITED') return false
  return TAKEN.test(error.sentence) || (await isAnyTaken(portsOf(target)))
}

/** True if a second read gives other ports, so that the file does not fix them. */
function haveOtherPorts(one: Target, other: Target): boolean {
  return portsOf(one).join() !== portsOf(other).join()
}

/**
 * Starts the target of a file with `start`. A free port is not reserved until the role listens; if another process
 * takes it, the file is read again with new values for `${port.NAME}`, in at most three attempts. `surroundings` are
 * those that `read` was read with. Throws what `start` throws.
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
      if (attempt === ATTEMPTS || !(await isPortTaken(error, target))) throw error
      const other = await loadTarget(read.file, surroundings)
      if (!haveOtherPorts(target, other)) throw error
      target = other
    }
  }
}

/** Starts every role with a start command; `onStep` receives each step when it is done. Throws a {@link SetupFault}. */
export function startOnFreePorts(
  read: Target,
  surroundings: TargetSurroundings,
  run: RunDirectory,
  onStep?: (step: SetupStep) => void,
): Promise<StartedTarget> {
  return onFreePorts(read, surroundings, async (target) => ({
    target,
    deployment: await startDeployment(target, run, onStep),
  }))
}
