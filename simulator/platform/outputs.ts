import type { ImaEntry } from '../ima/list.ts'

export type Bytes = (bytes: Uint8Array) => Uint8Array

/** Outputs of a machine, and their mutations by a fault. */
export interface Mutations {
  /** TPMS_ATTEST of a quote. */
  readonly quote?: Bytes
  /** TPMT_SIGNATURE of a quote. */
  readonly signature?: Bytes
  /** The values of a quote, by PCR. */
  readonly pcrs?: (values: ReadonlyMap<number, Uint8Array>) => ReadonlyMap<number, Uint8Array>
  /** The entries of the measurement list, before they are encoded. */
  readonly ima?: (entries: readonly ImaEntry[]) => readonly ImaEntry[]
  readonly 'ima-ascii'?: Bytes
  readonly 'ima-binary'?: Bytes
  /** The firmware log. */
  readonly uefi?: Bytes
}

export type Place = keyof Mutations

/** The mutations that the faults of one machine apply to its outputs. */
export interface OutputMutator {
  /** Returns the output in place of `truth`. */
  mutate<P extends Place>(place: P, truth: Parameters<Required<Mutations>[P]>[0]): typeof truth
}
