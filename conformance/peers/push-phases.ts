import type { Script } from '../../simulator/machine/script.ts'
import type { VerifierSettings } from '../../simulator/services/verifier-truth.ts'

/** One cycle of attestation, and what happens before it. */
export interface PushPhase {
  /** How its verifier is set from now on. */
  readonly set?: Partial<VerifierSettings>
  /** What happens to the machine, while the agent waits. */
  readonly machine?: Script
  /** Milliseconds for which the TPM does work of the judge first. */
  readonly busyMs?: number
  /** The verifier forgets every token that it gave. */
  readonly forgets?: true
}

/** What every push agent lives through once: other PCRs, other sizes of nonces, more entries, a changed PCR, a lost token, a TPM that is busy. */
export const PUSH_PHASES: readonly PushPhase[] = [
  { set: { pcrs: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14], nonceBytes: 20 } },
  {
    set: { pcrs: [10], nonceBytes: 16 },
    machine: 'measure /usr/bin/first\nmeasure /usr/bin/second',
  },
  { set: { pcrs: [10, 23], nonceBytes: 32, bootLog: false }, machine: 'extend 23 c0ffee' },
  {
    set: { pcrs: [4, 10], nonceBytes: 20, bootLog: true },
    machine: 'measure "/usr/bin/third one"',
    forgets: true,
    busyMs: 800,
  },
]
