import { until } from '../../attempt/poll.ts'
import type { Target } from '../target.ts'
import { probe } from './probe.ts'

const ATTEMPT_MS = 5000
const EVERY_MS = 250

/**
 * Waits until every role with a URL answers again, for as long as `time.recovery_within` of the target file says: what
 * one scenario did to a server is then not told of the next. Once that was in vain nothing is waited for any more.
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
