import { defaultChecks } from '../evidence/evaluate.ts'
import { eachMinusOne, type Mutant } from './list-minus-one.ts'

/**
 * Checks without which no evidence passes that should not: what they find, another check finds too. A quote that
 * lacks PCR 10 was refused before; a signature that does not fit is no signature; a key that can sign nothing is one
 * that the policy lists.
 */
const DOUBLED: readonly string[] = ['ima.quoted', 'ima.entry-signature', 'ima.entry-key']

function defectOf(id: string): string {
  return `a measurement list passes without ${id}`
}

/** Verifiers that are wrong about measurement lists: each list of checks minus one that nothing else doubles. */
export const LIST_MUTANTS: readonly Mutant[] = [
  ...eachMinusOne({
    checks: defaultChecks.imaList,
    defectWithout: ({ id }) => defectOf(id),
    partsWith: (imaList) => ({ evidenceLists: { ...defaultChecks, imaList } }),
  }),
  ...eachMinusOne({
    checks: defaultChecks.imaEntry,
    defectWithout: ({ id }) => defectOf(id),
    partsWith: (imaEntry) => ({ evidenceLists: { ...defaultChecks, imaEntry } }),
  }),
].filter(({ id }) => !DOUBLED.includes(id.replace('-not-checked', '')))
