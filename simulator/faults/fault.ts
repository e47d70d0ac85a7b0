import type { ImaEntry } from '../ima/list.ts'
import type { Measuring } from '../platform/measuring.ts'
import type { Powering } from '../platform/powering.ts'

export type Bytes = (bytes: Uint8Array) => Uint8Array

/** What a machine hands out, and how one of its lies bends it. */
export interface Bends {
  /** TPMS_ATTEST of a quote. */
  readonly quote?: Bytes
  /** TPMT_SIGNATURE of a quote. */
  readonly signature?: Bytes
  /** The values beside a quote, by PCR. */
  readonly pcrs?: (values: ReadonlyMap<number, Uint8Array>) => ReadonlyMap<number, Uint8Array>
  /** The entries of the measurement list, in whatever form they then travel. */
  readonly ima?: (entries: readonly ImaEntry[]) => readonly ImaEntry[]
  readonly 'ima-ascii'?: Bytes
  readonly 'ima-binary'?: Bytes
  /** The firmware log. */
  readonly uefi?: Bytes
}

export type Place = keyof Bends

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
  readonly bends: Bends
  /** What really happens on the machine, before it hands out anything. */
  readonly happens?: (machine: Measuring & Powering) => Promise<void>
}

/** Where a fault bends what is handed out; empty for one that only lets something happen. */
export function placesOf({ bends }: Fault): readonly Place[] {
  return Object.keys(bends) as Place[]
}

/** The faults of one machine, in the order in which they came. */
export interface FaultSet {
  add(fault: Fault): void
  /** What is handed out in place of `truth`. */
  bend<P extends Place>(place: P, truth: Parameters<Required<Bends>[P]>[0]): typeof truth
}
