import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { packageRoot } from '../../input/package-root.ts'

const FILE = join(packageRoot(), 'conformance', 'selftest', 'mutation', 'classified.yaml')

/** Mutants of one kind, and why they need not be caught: exactly one of the two reasons. */
interface Class {
  /** Why no observer can tell the difference. */
  readonly equivalent?: string
  /** What leaves open the behaviour that they change. */
  readonly unspecified?: string
  readonly keys: readonly string[]
}

/**
 * Mutants of the machine that survived and were looked at, with the reason why they need not be caught. The key of a mutant
 * holds a digest of its source text, so a class ends when that text changes.
 *
 * @throws {Error} for a class without exactly one reason, and for a mutant with two classes
 */
export function loadClassified(text = readFileSync(FILE, 'utf8')): ReadonlyMap<string, string> {
  const classes: readonly Class[] = parse(text)
  const reasons = new Map<string, string>()
  for (const { equivalent, unspecified, keys } of classes) {
    const [reason, another] = [equivalent, unspecified].filter((one) => one !== undefined)
    if (reason === undefined || another !== undefined)
      throw new Error(`classified.yaml: ${keys[0]} needs exactly one of equivalent and unspecified`)
    for (const key of keys) {
      if (reasons.has(key)) throw new Error(`classified.yaml: ${key} has two classes`)
      reasons.set(key, reason)
    }
  }
  return reasons
}
