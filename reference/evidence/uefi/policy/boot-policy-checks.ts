import { toHex } from '../../../bytes/hex.ts'
import type { Check } from '../../check.ts'
import type { ReadEvent } from '../log/event-data.ts'
import type { BootPolicyName } from './boot-policy.ts'
import { type BootPolicyCase, eventsOf } from './boot-policy-case.ts'
import { ACTIONS, PROVEN_ROLES } from './boot-rules.ts'
import { firmwareChecks } from './firmware-checks.ts'
import { kernelChecks } from './kernel-checks.ts'
import { keyChecks } from './key-checks.ts'
import { mokChecks } from './mok-checks.ts'
import { broken, brokenBy, quoted } from './policy-findings.ts'

/** A check of a boot log, and the policies that use it. */
export interface BootPolicyCheck extends Check<BootPolicyCase> {
  readonly of: readonly BootPolicyName[]
}

/** Separator values without an error (PFP 2.3.4); `00000001` means an error. */
const GOOD_SEPARATORS: ReadonlySet<string> = new Set(['00000000', 'ffffffff'])
const CAPPED_PCRS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7]

function isGood({ data }: ReadEvent): boolean {
  return data.kind === 'known' && GOOD_SEPARATORS.has(toHex(data.raw))
}

function isKnownAction({ pcr, data }: ReadEvent): boolean {
  const says = data.kind === 'known' && data.value.what === 'text' ? data.value.text : undefined
  return says !== undefined && (ACTIONS.get(pcr)?.has(says) ?? false)
}

const exampleChecks: readonly Check<BootPolicyCase>[] = [
  {
    id: 'boot-policy.events',
    why: 'an event without a rule may mean anything, as no digest covers its type',
    run: (boot) =>
      brokenBy(boot, boot.strangers, () => 'is of a type that the policy does not know there'),
  },
  {
    id: 'boot-policy.data-form',
    why: 'data that does not have its form is read by each reader in a way of its own',
    run: (boot) => {
      const odd = boot.events.filter(({ data }) => data.kind === 'invalid')
      return brokenBy(boot, odd, ({ data }) =>
        data.kind === 'invalid' ? `has data that cannot be read: ${data.why}` : '',
      )
    },
  },
  {
    id: 'boot-policy.data-proven',
    why: 'data that its digest does not cover may be forged',
    run: (boot) => {
      const unproven = [...PROVEN_ROLES]
        .flatMap((role) => eventsOf(boot, role))
        .filter(({ data }) => data.kind === 'opaque')
      return brokenBy(boot, unproven, () => `has a digest in ${boot.bank} that is not of its data`)
    },
  },
  {
    id: 'boot-policy.separators',
    why: 'only the firmware measures before a separator, any program after it, and an error value marks a failure',
    run: (boot) => {
      const separators = eventsOf(boot, 'separator')
      const bad = separators.filter((event) => !isGood(event))
      const missing = CAPPED_PCRS.filter((pcr) => !separators.some((each) => each.pcr === pcr))
      const again = separators.filter(
        ({ pcr }, at) => separators.findIndex((each) => each.pcr === pcr) < at,
      )
      if (bad.length > 0)
        return brokenBy(
          boot,
          bad,
          ({ raw }) => `is ${quoted(toHex(raw))}: an error of the firmware`,
        )
      if (again.length > 0) return brokenBy(boot, again, () => 'is a second one')
      return missing.length > 0
        ? broken(boot, `there is no separator in PCR ${missing.join(', ')}`, { pcrs: missing })
        : undefined
    },
  },
  {
    id: 'boot-policy.actions',
    why: 'firmware that booted in a mode for debugging says so in an action',
    run: (boot) => {
      const odd = eventsOf(boot, 'action').filter((event) => !isKnownAction(event))
      return brokenBy(boot, odd, ({ raw }) => `says ${quoted(Buffer.from(raw).toString('latin1'))}`)
    },
  },
  ...firmwareChecks,
  ...keyChecks,
  ...mokChecks,
  ...kernelChecks,
]

/** The checks of a boot policy for a log that replays, in this order. */
export const bootPolicyChecks: readonly BootPolicyCheck[] = [
  {
    id: 'boot-policy.reject-all',
    of: ['reject-all'],
    why: 'this policy lets no machine pass',
    run: (boot) => broken(boot, 'the policy reject-all lets no boot log pass'),
  },
  ...exampleChecks.map((check) => ({ ...check, of: ['example'] as const })),
]
