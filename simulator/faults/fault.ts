import type { Measuring } from '../platform/measuring.ts'
import type { Mutations, OutputMutator, Place } from '../platform/outputs.ts'
import type { Powering } from '../platform/powering.ts'

/** A named defect of a machine. The machine's own state (`entries`, its TPM) stays correct. */
export interface Fault {
  readonly name: string
  /** One clause that describes the defect. */
  readonly what: string
  /** Numbers of the adversarial cases that it covers. */
  readonly cases: readonly number[]
  /**
   * Expected outcome of its evidence: `refused` if it is inconsistent, `policy` if it is consistent and not
   * allowed, `fails` for either of these, `accepted` if nothing is wrong, `either` if any answer is valid.
   */
  readonly outcome: 'refused' | 'policy' | 'fails' | 'accepted' | 'either'
  /** Its output is so large that it delays other clients of the machine. */
  readonly huge?: true
  readonly mutations: Mutations
  /** Changes the machine before it sends its output. */
  readonly happens?: (machine: Measuring & Powering) => Promise<void>
}

/** Outputs that a fault mutates; empty if it only changes the machine. */
export function placesOf({ mutations }: Fault): readonly Place[] {
  return Object.keys(mutations) as Place[]
}

/** The faults of one machine, in the order in which they were added. */
export interface FaultSet extends OutputMutator {
  add(fault: Fault): void
}
