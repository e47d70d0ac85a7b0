import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { packageRoot } from '../../input/package-root.ts'

const FILE = join(packageRoot(), 'conformance', 'selftest', 'mutation', 'classified.yaml')

/** Mutants of one kind, and why they are not caught: exactly one of the three reasons. */
interface Class {
  /** Why no observer can tell the difference. */
  readonly equivalent?: string
  /** What leaves open the behaviour that they change. */
  readonly unspecified?: string
  /** What no scenario looks at, although it should. */
  readonly gap?: string
  readonly keys: readonly string[]
}

/**
 * Mutants of the machine that survived and were looked at, with the reason why they need not be caught; those of a gap are
 * left out. The key of a mutant holds a digest of its source text, so a class ends when that text changes.
 *
 * @throws {Error} for a class without exactly one reason, and for a mutant with two classes
 */
export function loadClassified(text = readFileSync(FILE, 'utf8')): ReadonlyMap<string, string> {
  const classes: readonly Class[] = parse(text)
  const reasons = new Map<string, string>()
  const gaps = new Set<string>()
  for (const { equivalent, unspecified, gap, keys } of classes) {
    const [reason, another] = [equivalent, unspecified, gap].filter((one) => one !== undefined)
    if (reason === undefined || another !== undefined)
      throw new Error(
        `classified.yaml: ${keys[0]} needs exactly one of equivalent, unspecified and gap`,
      )
    for (const key of keys) {
      if (reasons.has(key) || gaps.has(key))
        throw new Error(`classified.yaml: ${key} has two classes`)
      if (gap === undefined) reasons.set(key, reason)
      else gaps.add(key)
    }
  }
  return reasons
}
