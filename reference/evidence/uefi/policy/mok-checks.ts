import { toHex } from '../../../bytes/hex.ts'
import { hashByName } from '../../../tpm/algorithms.ts'
import { digestOf } from '../../../tpm/digest.ts'
import type { Check } from '../../check.ts'
import type { ReadEvent } from '../log/event-data.ts'
import { textOf } from '../log/text-of.ts'
import { type BootPolicyCase, eventsOf } from './boot-policy-case.ts'
import { hasDigest } from './firmware-checks.ts'
import { brokenBy, quoted } from './policy-findings.ts'

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

function isAllowed({ policy, bank }: BootPolicyCase, event: ReadEvent): boolean {
  const name = mokName(event)
  if (name === TRUSTED) return isTrustNote(event, bank)
  const member = MOK_LISTS.get(name)
  const listed = member && policy.state[member]
  return member !== undefined && (!listed || listed.some((each) => hasDigest(event, each, bank)))
}

/** The checks of PCR 14. */
export const mokChecks: readonly Check<BootPolicyCase>[] = [
  {
    id: 'boot-policy.mok',
    why: 'keys of the owner of a machine let boot what no key of its maker does',
    run: (boot) => {
      const strange = eventsOf(boot, 'mok').filter((event) => !isAllowed(boot, event))
      return brokenBy(
        boot,
        strange,
        (event) => `has a digest that is not listed for ${quoted(mokName(event))}`,
      )
    },
  },
]
