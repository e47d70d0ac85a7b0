import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { packageRoot } from '../../input/package-root.ts'

const FILE = join(packageRoot(), 'conformance', 'selftest', 'mutation', 'classified.yaml')

/** File of a mutant, and the digest of its text. */
const KEY = /^reference\/[a-z/-]+\.ts#[0-9a-f]{10}$/

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
 * @throws {Error} for a class without exactly one reason, for a key without its form, and for a mutant with two classes
 */
export function loadClassified(text = readFileSync(FILE, 'utf8')): ReadonlyMap<string, string> {
  const classes: readonly Class[] = parse(text)
  const reasons = new Map<string, string | undefined>()
  for (const each of classes) {
    const reason = reasonOf(each)
    for (const key of each.keys) {
      if (!KEY.test(key)) throw new Error(`classified.yaml: ${key} is no key of a mutant`)
      if (reasons.has(key)) throw new Error(`classified.yaml: ${key} has two classes`)
      reasons.set(key, reason)
    }
  }
  return new Map([...reasons].flatMap(([key, reason]) => (reason ? [[key, reason]] : [])))
}

/** Why mutants of this class need not be caught; undefined for a gap. */
function reasonOf({ equivalent, unspecified, gap, keys }: Class): string | undefined {
  const given = [equivalent, unspecified, gap].filter((one) => one !== undefined)
  if (given.length === 1) return equivalent ?? unspecified
  throw new Error(
    `classified.yaml: ${keys[0]} needs exactly one of equivalent, unspecified and gap`,
  )
}
