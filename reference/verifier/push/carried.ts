import type { ClockState } from '../../evidence/evaluate.ts'
import type { LearnedKey } from '../../evidence/ima/buffer-checks.ts'
import type { AgentRow, AttestationRow } from '../../storage/databases/database.ts'

/** The part of an IMA list that is certified already. */
export interface CarriedIma {
  readonly entries: number
  /** The same in lines of the text list, in which a name with a newline has several. */
  readonly lines: number
  /** PCR 10 after these entries, by bank. */
  readonly values: Readonly<Record<string, string>>
  /** SHA-256 of the runtime policy that all of these entries met, hex; undefined without a policy. */
  readonly policy?: string | undefined
  /** Keys of file signatures that these entries taught. */
  readonly learned?: readonly LearnedKey[] | undefined
}

/** The state that a passed attestation hands to the next one of the same boot. */
export interface CarriedEvidence {
  readonly boot_time: string | undefined
  readonly ima: CarriedIma | undefined
  /** TPMS_CLOCK_INFO; the u64 as decimal text. */
  readonly clock:
    | { readonly clock: string; readonly resetCount: number; readonly restartCount: number }
    | undefined
}

/** The carried evidence of an agent record or of an attestation. */
export function readCarried(
  row: Pick<AgentRow | AttestationRow, 'carried'>,
): CarriedEvidence | undefined {
  return row.carried === null ? undefined : (JSON.parse(row.carried) as CarriedEvidence)
}

export function previousClock(carried: CarriedEvidence | undefined): ClockState | undefined {
  const clock = carried?.clock
  return clock === undefined ? undefined : { ...clock, clock: BigInt(clock.clock) }
}

/** What need not be sent again: only when the machine has not rebooted since, and its policy is the same. */
export function certifiedOfBoot(
  carried: CarriedEvidence | undefined,
  bootTime: string | undefined,
  policy: string | undefined,
): CarriedIma | undefined {
  const isOfBoot = bootTime !== undefined && carried?.boot_time === bootTime
  return isOfBoot ? certifiedUnder(carried, policy) : undefined
}

/** What was certified under the policy of this digest: another one has to judge every entry again. */
export function certifiedUnder(
  carried: CarriedEvidence | undefined,
  policy: string | undefined,
): CarriedIma | undefined {
  return carried?.ima?.policy === policy ? carried?.ima : undefined
}
