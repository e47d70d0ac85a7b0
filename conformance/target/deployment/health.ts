import { setTimeout as pause } from 'node:timers/promises'
import { presentDuration } from '../../input/duration.ts'
import type { Target, TargetRole } from '../target.ts'
import type { Death, Deployment } from './deployment.ts'
import { probe } from './probe.ts'

/** Whether the subject is alive. */
export interface Health {
  /** Aborts when a role has died. */
  readonly died: AbortSignal
  /** Undefined while all roles live. */
  readonly death: () => Death | undefined
  /**
   * Call this when a request got no answer. Resolves at once if every role accepts connections; a role that refuses
   * every connection from now on has died.
   */
  readonly suspect: () => Promise<void>
}

const REFUSED_MS = 3000
const EVERY_MS = 100
const ATTEMPT_MS = 5000

async function findRefusing({ roles, tls }: Target): Promise<TargetRole | undefined> {
  const options = { ca: tls.ca, timeoutMs: ATTEMPT_MS }
  for (const role of roles) {
    const answer = await probe(`${role.url}/version`, options)
    if (answer.kind === 'silent' && answer.code === 'ECONNREFUSED') return role
  }
  return undefined
}

/**
 * Watches a deployment that has answered. A role has died when its process ends, or when it refuses connections for
 * three seconds, or for the recovery time of the target file if that is longer.
 */
export function watchHealth(
  target: Target,
  { whenDied }: Pick<Deployment, 'whenDied'>,
  refusedMs = Math.max(REFUSED_MS, target.time.recoveryWithinMs),
): Health {
  const controller = new AbortController()
  const { signal: died } = controller
  let death: Death | undefined
  const die = (how: Death): void => {
    death ??= how
    controller.abort()
  }
  void whenDied.then(die)
  const confirm = async (): Promise<void> => {
    const deadline = performance.now() + refusedMs
    for (;;) {
      const role = await findRefusing(target)
      if (role === undefined || died.aborted) return
      if (performance.now() > deadline) {
        const time = presentDuration(refusedMs)
        const says = `${role.role} at ${role.url} has refused every connection for ${time}`
        return die({ role: role.role, says })
      }
      await pause(EVERY_MS)
    }
  }
  let pending: Promise<void> | undefined
  const suspect = (): Promise<void> => {
    pending ??= confirm().finally(() => {
      pending = undefined
    })
    return pending
  }
  return { died, death: () => death, suspect }
}
