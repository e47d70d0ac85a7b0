import type { Measuring } from '../platform/measuring.ts'
import type { Mutations, OutputMutator, Place } from '../platform/outputs.ts'
import type { Powering } from '../platform/powering.ts'

/** A named way to be evil. A machine that has one still knows the truth: its `entries` and its TPM. */
export interface Fault {
  readonly name: string
  /** One clause: what the machine then does. */
  readonly what: string
  /** Numbers of the adversarial cases it is one of. */
  readonly cases: readonly number[]
  /**
   * How its evidence has to end: `refused` because it does not hang together, `policy` because it does and is not
   * allowed, `fails` for one of these two, `accepted` where nothing is wrong, `either` where any answer will do.
   */
  readonly outcome: 'refused' | 'policy' | 'fails' | 'accepted' | 'either'
  /** It hands out so much that whoever else is served has to wait. */
  readonly huge?: true
  readonly mutations: Mutations
  /** What really happens on the machine, before it hands out anything. */
  readonly happens?: (machine: Measuring & Powering) => Promise<void>
}

/** Where a fault bends what is handed out; empty for one that only lets something happen. */
export function placesOf({ mutations }: Fault): readonly Place[] {
  return Object.keys(mutations) as Place[]
}

/** The faults of one machine, in the order in which they came. */
export interface FaultSet extends OutputMutator {
  add(fault: Fault): void
}
