import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from '../../conformance/client/idle-peers.ts'
import { SetupFault } from '../../conformance/input/fault.ts'
import type { Deployment } from '../../conformance/target/deployment/deployment.ts'
import { startOnFreePorts } from '../../conformance/target/deployment/start-on-free-ports.ts'
import { loadTarget } from '../../conformance/target/load-target.ts'
import { closeOnSignal } from '../../conformance/target/processes/close-on-signal.ts'
import {
  createRunDirectory,
  type RunDirectory,
} from '../../conformance/target/processes/run-directory.ts'
import { isLoopback } from '../../conformance/target/role-url.ts'
import type { Target } from '../../conformance/target/target.ts'
import { createManufacturer, type Manufacturer } from '../../simulator/swtpm/manufacturer.ts'

/** A deployment under load; it ends with the measurement. */
export interface LoadedRun {
  readonly target: Target
  readonly deployment: Deployment
  readonly run: RunDirectory
  readonly manufacturer: Manufacturer
  /** Address of each component. */
  readonly places: readonly (readonly [role: string, place: Place])[]
}

/** Starts the deployment of a target file on this machine, measures it, and ends every process that was started. */
export async function inRun<T>(
  file: string,
  measure: (loaded: LoadedRun) => Promise<T>,
): Promise<T> {
  const run = createRunDirectory(join('reports', 'out'))
  const undo = closeOnSignal(() => run.close())
  try {
    const ekCa = join(run.path, 'ek-ca.pem')
    const manufacturer = await createManufacturer({ now: new Date() })
    writeFileSync(ekCa, manufacturer.certificatePem)
    const surroundings = { run: run.path, ekCa, env: process.env }
    const read = await loadTarget(file, surroundings)
    const { target, deployment } = await startOnFreePorts(read, surroundings, run)
    const ca = readFileSync(target.tls.ca, 'utf8')
    const places = Object.entries(deployment.roles).map(
      ([role, { url }]) => [role, placeOf(url, ca)] as const,
    )
    return await measure({ target, deployment, run, manufacturer, places })
  } finally {
    await run.close()
    undo()
  }
}

/** Address of a component. Throws a {@link SetupFault} for another host than loopback, even if the target file allows it. */
function placeOf(url: string, ca: string): Place {
  const { hostname, port } = new URL(url)
  if (!isLoopback(hostname)) {
    throw new SetupFault(
      `${hostname} is not a loopback address, and assay load sends to no other`,
      {
        next: 'start the components on this machine, and use 127.0.0.1 in the target file',
      },
    )
  }
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443), ca }
}
