import type { Script } from '../../simulator/machine/script.ts'
import type { VerifierSettings } from '../../simulator/services/verifier-truth.ts'

/** One attestation cycle, and the changes before it. */
export interface PushPhase {
  /** New verifier settings. */
  readonly set?: Partial<VerifierSettings>
  /** Runs on the machine while the agent waits. */
  readonly machine?: Script
  /** Milliseconds for which commands of the harness keep the TPM busy. */
  readonly busyMs?: number
  /** The verifier forgets every token that it issued. */
  readonly forgets?: true
}

/**
 * The phases of the recording: indexes of one and two digits, different PCRs and nonce sizes, the first and the last of
 * what is offered, more entries, a changed PCR, a lost token, a busy TPM.
 */
export const PUSH_PHASES: readonly PushPhase[] = [
  { set: { pcrs: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14], nonceBytes: 20, firstIndex: 9 } },
  {
    set: { pcrs: [10], nonceBytes: 16, chooses: 'last' },
    machine: 'measure /usr/bin/first\nmeasure /usr/bin/second',
  },
  {
    set: { pcrs: [10, 23], nonceBytes: 32, bootLog: false, chooses: 'first' },
    machine: 'extend 23 c0ffee',
  },
  {
    set: { pcrs: [4, 10], nonceBytes: 20, bootLog: true, chooses: 'last' },
    machine: 'measure "/usr/bin/third one"',
    forgets: true,
    busyMs: 800,
  },
]
