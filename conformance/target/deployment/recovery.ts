import { until } from '../../attempt/poll.ts'
import type { Target } from '../target.ts'
import { probe } from './probe.ts'

const ATTEMPT_MS = 5000
const EVERY_MS = 250

/**
 * Waits until every role with a URL answers again, for at most `time.recovery_within` of the target file, so that the
 * effect of one scenario is not attributed to the next. After one wait without success it does not wait again.
 */
export function recoveryOf({ roles, time, tls }: Target): () => Promise<void> {
  let isLost = time.recoveryWithinMs === 0
  const options = { ca: tls.ca, timeoutMs: ATTEMPT_MS }
  const answers = async () => {
    const probes = await Promise.all(roles.map(({ url }) => probe(`${url}/version`, options)))
    return probes.every(({ kind }) => kind === 'answered')
  }
  return async () => {
    if (isLost) return
    isLost = !(await until(answers, { withinMs: time.recoveryWithinMs, everyMs: EVERY_MS }))
  }
}
