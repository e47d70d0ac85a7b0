import { setTimeout as pause } from 'node:timers/promises'
import { SetupFault } from '../../input/fault.ts'
import type { RunDirectory } from '../processes/run-directory.ts'
import type { ServiceRole, Target } from '../target.ts'
import type { Deployment } from './deployment.ts'
import { hookOf, runHook } from './hooks.ts'
import { probe } from './probe.ts'

/** Operations on a verifier that the interface has no request for; an absent member is not available. */
export interface Controls {
  /** Ends the verifier and starts it again; resolves once it answers. */
  readonly restart?: () => Promise<void>
  /** Moves the verifier's clock ahead by whole seconds. */
  readonly advance?: (seconds: number) => Promise<void>
}

const ROLE: ServiceRole = 'verifier'
const READY_MS = 30_000
const EVERY_MS = 50

async function awaitAnswer(target: Target): Promise<void> {
  const url = target.roles.find(({ role }) => role === ROLE)?.url
  const options = { ca: target.tls.ca, timeoutMs: READY_MS }
  const deadline = performance.now() + READY_MS
  while ((await probe(`${url}/version`, options)).kind !== 'answered') {
    if (performance.now() > deadline)
      throw new SetupFault(`the ${ROLE} does not answer after its hook restart`, {
        code: 'D-HOOK-FAILED',
        next: `make the hook restart of ${target.file} start the ${ROLE} again`,
      })
    await pause(EVERY_MS)
  }
}

function restarting(target: Target, run: RunDirectory, deployment: Deployment): Controls {
  if (hookOf(target.hooks, 'restart', ROLE) !== undefined)
    return {
      restart: async () => {
        await runHook(target, run, 'restart', ROLE)
        await awaitAnswer(target)
      },
    }
  const isOurs = deployment.pids[ROLE] !== undefined
  return isOurs ? { restart: () => deployment.restart(ROLE) } : {}
}

/** The controls of a deployment: hooks of its target file, and a restart of roles that Assay has started. */
export function controlsOf(target: Target, run: RunDirectory, deployment: Deployment): Controls {
  const movable = hookOf(target.hooks, 'advance_clock', ROLE) !== undefined
  return {
    ...restarting(target, run, deployment),
    ...(movable && {
      advance: async (seconds: number) => {
        await runHook(target, run, 'advance_clock', ROLE, { seconds })
      },
    }),
  }
}
