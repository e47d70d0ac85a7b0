import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** A known fault of a program that we compare ourselves with. */
interface Fault {
  readonly tool: string
  /** releases that were seen to have it */
  readonly versions: string
  /** it `accepts` what we refuse, `refuses` what we accept, or `reads` a value otherwise */
  readonly does: 'accepts' | 'refuses' | 'reads'
  /** the check, scheme or field that this is about */
  readonly what: string
  readonly why: string
}

const FILE = new URL('../../../../fixtures/oracles/faults.yaml', import.meta.url)

/** The faults of one program, as `does what`. */
export function faultsOf(tool: string): readonly string[] {
  const faults = parse(readFileSync(FILE, 'utf8')) as readonly Fault[]
  return faults.filter((fault) => fault.tool === tool).map(({ does, what }) => `${does} ${what}`)
}

/** Disagreements, each once and in order, to be compared with {@link faultsOf}. */
export function distinct(disagreements: readonly string[]): readonly string[] {
  return [...new Set(disagreements)].sort()
}
