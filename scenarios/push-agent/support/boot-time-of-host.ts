import { uptime } from 'node:os'
import { attributesOf, firstOf } from '../../../conformance/oracle/recording-parts.ts'
import type { PushOperation } from '../../../conformance/peers/push-timeline.ts'
import { outside } from '../../../conformance/recording/outside.ts'
import { at } from '../../../conformance/scenario.ts'

const NEAR_MS = 5000

/**
 * Whether an agent sends the boot time of the computer that it runs on: a reboot of its virtual machine does not change
 * that, so that no verifier can see the reboot in an offer.
 */
export function hasBootTimeOfHost(operations: readonly PushOperation[]): boolean {
  const boot = at(attributesOf(firstOf(operations, 'capabilities')), 'system_info', 'boot_time')
  const host = outside(() => Date.now() - uptime() * 1000)
  return Math.abs(Date.parse(String(boot)) - host) < NEAR_MS
}
