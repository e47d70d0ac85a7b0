import { type Finding, finding } from '../../findings.ts'
import type { ReadEvent } from '../log/event-data.ts'
import { presentEventType } from '../log/event-types.ts'
import type { BootPolicyCase } from './boot-policy-case.ts'

/** Characters of a log text that a finding quotes. */
const MOST_QUOTED = 80

/** A finding of the boot policy. */
export function broken(
  { policy }: Pick<BootPolicyCase, 'policy'>,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): Finding {
  return finding('measured_boot.policy_*', message, details, policy.name)
}

/** A finding about the first of some events; undefined without one. */
export function brokenBy(
  boot: Pick<BootPolicyCase, 'policy'>,
  events: readonly ReadEvent[],
  message: (event: ReadEvent) => string,
): Finding | undefined {
  const [first] = events
  if (!first) return undefined
  const others = events.length > 1 ? `, and ${events.length - 1} more like it` : ''
  return broken(boot, `${named(first)} ${message(first)}${others}`, { event: first.number })
}

/** An event for display: `LOG[3] (EV_SEPARATOR in PCR 4)`. */
function named({ number, pcr, untrustedType }: ReadEvent): string {
  return `LOG[${number}] (${presentEventType(untrustedType)} in PCR ${pcr})`
}

/** A text of a log, harmless and short. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}…` : text)
}
