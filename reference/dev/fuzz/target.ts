import type { Random } from './random.ts'

/** What an input may hold: plain data, bytes, and 64-bit numbers. */
export type Data =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly Data[]
  | { readonly [member: string]: Data }

/** One input of a target; `of` is the honest input it came from, to which the minimiser resets it member by member. */
export interface Input {
  readonly of: number
  readonly [member: string]: Data
}

/** What the code under test made of an input. */
export interface Judgement {
  readonly verdict: 'pass' | 'fail' | 'refused'
  /** what was said, without numbers; with the verdict it is the class of the outcome */
  readonly says: readonly string[]
  /** why the model says that this must not pass; looked for only when it did */
  readonly mustNotPass?: string
  /** what was read and written again in another way */
  readonly changed?: string
}

/** Something to fuzz. */
export interface Target<Case extends Input = Input> {
  readonly name: string
  /** inputs without a defect, to mutate and to splice; each of them passes */
  readonly honest: readonly Case[]
  /** one step away from an input; `other` is a second one to take parts from */
  mutate(input: Case, other: Case, random: Random): Case
  /** judges an input; whatever it throws is a crash */
  judge(input: Case): Judgement
}

/** How bad a finding is, worst first. */
export const FAULT_KINDS = ['false-pass', 'crash', 'hang', 'memory', 'round-trip'] as const

export type FaultKind = (typeof FAULT_KINDS)[number]

export interface Fault {
  readonly kind: FaultKind
  readonly message: string
}
