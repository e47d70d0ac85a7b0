import { toHex } from '../../../bytes/hex.ts'
import { hashByName } from '../../../tpm/algorithms.ts'
import { digestOf } from '../../../tpm/digest.ts'
import type { Check } from '../../check.ts'
import type { ReadEvent } from '../log/event-data.ts'
import { textOf } from '../log/text-of.ts'
import { type BootPolicyCase, eventsOf } from './boot-policy-case.ts'
import { hasDigest } from './firmware-checks.ts'
import { broken, brokenBy, quoted } from './policy-findings.ts'

/** Lists of shim -> the member of a reference state that has their digests. */
const MOK_LISTS: ReadonlyMap<string, 'mokdig' | 'mokxdig'> = new Map([
  ['MokList', 'mokdig'],
  ['MokListX', 'mokxdig'],
])

/** shim's note on whether the kernel shall trust its list: one byte, 0 or 1. */
const TRUSTED = 'MokListTrusted'

/** What shim measured, by the name in the event; only its digest is proven. */
export function mokName({ raw }: ReadEvent): string {
  return textOf(raw).replace(/\0$/, '')
}

function isTrustNote({ digest }: ReadEvent, bank: string): boolean {
  const hash = hashByName(bank)
  return [0, 1].some(
    (value) => hash && toHex(digestOf(hash, Uint8Array.of(value))) === toHex(digest),
  )
}

/**
 * What shim measures into PCR 14, in this order. The digests cover no name: only its place says which list an event is of,
 * as a program that runs later can only add events behind it.
 */
const ORDER = [...MOK_LISTS.keys(), TRUSTED]

function isAllowed({ policy, bank }: BootPolicyCase, event: ReadEvent): boolean {
  const name = mokName(event)
  if (name === TRUSTED) return isTrustNote(event, bank)
  const member = MOK_LISTS.get(name)
  const listed = member && policy.state[member]
  return member !== undefined && (!listed || listed.some((each) => hasDigest(event, each, bank)))
}

/** A list of which the reference state has digests, and which was not measured. */
function unmeasured(
  { policy: { state } }: BootPolicyCase,
  events: readonly ReadEvent[],
): string | undefined {
  const measured = new Set(events.map(mokName))
  const asked = [...MOK_LISTS].find(
    ([name, member]) => state[member]?.length && !measured.has(name),
  )
  return asked?.[0]
}

/** The checks of PCR 14. */
export const mokChecks: readonly Check<BootPolicyCase>[] = [
  {
    id: 'boot-policy.mok',
    why: 'keys of the owner of a machine let boot what no key of its maker does',
    run: (boot) => {
      const events = eventsOf(boot, 'mok')
      const strange = events.filter((event) => !isAllowed(boot, event))
      if (strange.length > 0)
        return brokenBy(
          boot,
          strange,
          (event) => `has a digest that is not listed for ${quoted(mokName(event))}`,
        )
      const misplaced = events.filter((event, at) => mokName(event) !== ORDER[at])
      if (misplaced.length > 0)
        return brokenBy(
          boot,
          misplaced,
          (event) => `says ${quoted(mokName(event))}, which is not measured in this place`,
        )
      const missing = unmeasured(boot, events)
      return missing === undefined
        ? undefined
        : broken(boot, `${missing} was not measured, and the policy lists it`)
    },
  },
]
