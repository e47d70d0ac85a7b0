import type { ClockState } from '../../evidence/evaluate.ts'
import type { AgentRow, AttestationRow } from '../../storage/database.ts'

/** What one passed attestation leaves to the next one of the same boot. */
export interface CarriedEvidence {
  readonly boot_time: string | undefined
  /** IMA entries certified so far, and PCR 10 after them by bank. */
  readonly ima:
    | { readonly entries: number; readonly values: Readonly<Record<string, string>> }
    | undefined
  /** TPMS_CLOCK_INFO; the u64 as decimal text. */
  readonly clock:
    | { readonly clock: string; readonly resetCount: number; readonly restartCount: number }
    | undefined
}

/** What an agent record carries now, or what an attestation was begun with. */
export function readCarried(
  row: Pick<AgentRow | AttestationRow, 'carried'>,
): CarriedEvidence | undefined {
  return row.carried === null ? undefined : (JSON.parse(row.carried) as CarriedEvidence)
}

export function previousClock(carried: CarriedEvidence | undefined): ClockState | undefined {
  const clock = carried?.clock
  return clock === undefined ? undefined : { ...clock, clock: BigInt(clock.clock) }
}

/** Entries that need not be sent again: only when the machine has not rebooted since. */
export function certifiedEntries(
  carried: CarriedEvidence | undefined,
  bootTime: string | undefined,
): number {
  if (carried?.ima === undefined || bootTime === undefined) return 0
  return carried.boot_time === bootTime ? carried.ima.entries : 0
}
