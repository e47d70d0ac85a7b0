import { setTimeout as pause } from 'node:timers/promises'
import { SetupFault } from '../../input/fault.ts'
import type { RunDirectory } from '../processes/run-directory.ts'
import type { ServiceRole, Target } from '../target.ts'
import type { Deployment } from './deployment.ts'
import { hookOf, runHook } from './hooks.ts'
import { probe } from './probe.ts'

/** Operations on the servers that the interface has no request for; an absent member is not available. */
export interface Controls {
  /** Ends the verifier and starts it again; resolves once it answers. */
  readonly restart?: () => Promise<void>
  /** The same for the registrar. */
  readonly restartRegistrar?: () => Promise<void>
  /** Moves the verifier's clock ahead by whole seconds. */
  readonly advance?: (seconds: number) => Promise<void>
}

const READY_MS = 30_000
const EVERY_MS = 50

async function awaitAnswer(target: Target, server: ServiceRole): Promise<void> {
  const url = target.roles.find(({ role }) => role === server)?.url
  const options = { ca: target.tls.ca, timeoutMs: READY_MS }
  const deadline = performance.now() + READY_MS
  while ((await probe(`${url}/version`, options)).kind !== 'answered') {
    if (performance.now() > deadline)
      throw new SetupFault(`the ${server} does not answer after its hook restart`, {
        code: 'D-HOOK-FAILED',
        next: `make the hook restart of ${target.file} start the ${server} again`,
      })
    await pause(EVERY_MS)
  }
}

function restartOf(
  server: ServiceRole,
  target: Target,
  run: RunDirectory,
  deployment: Deployment,
): (() => Promise<void>) | undefined {
  if (hookOf(target.hooks, 'restart', server) !== undefined)
    return async () => {
      await runHook(target, run, 'restart', server)
      await awaitAnswer(target, server)
    }
  const isOurs = deployment.pids[server] !== undefined
  return isOurs ? () => deployment.restart(server) : undefined
}

/** The controls of a deployment: hooks of its target file, and a restart of roles that Assay has started. */
export function controlsOf(target: Target, run: RunDirectory, deployment: Deployment): Controls {
  const restart = restartOf('verifier', target, run, deployment)
  const restartRegistrar = restartOf('registrar', target, run, deployment)
  const movable = hookOf(target.hooks, 'advance_clock', 'verifier') !== undefined
  return {
    ...(restart && { restart }),
    ...(restartRegistrar && { restartRegistrar }),
    ...(movable && {
      advance: async (seconds: number) => {
        await runHook(target, run, 'advance_clock', 'verifier', { seconds })
      },
    }),
  }
}
