import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { packageRoot } from '../../input/package-root.ts'
import type { BuiltMutant } from './build-mutants.ts'
import type { Judgement } from './judge.ts'
import { keyOf } from './key-of.ts'
import type { Subject } from './subject.ts'

const FILE = join(packageRoot(), 'conformance', 'selftest', 'mutation', 'found.yaml')

/** Ids of defects, each with a scenario and its version that fail with it: `session.key@3.0`. */
export type Found = Readonly<Record<string, string>>

/** The defects that the suite has found. */
export function loadFound(): Found {
  return parse(readFileSync(FILE, 'utf8')) ?? {}
}

const AREAS = join(packageRoot(), 'conformance', 'selftest', 'mutation', 'found-in-areas.yaml')

/** The mutants of the machine that the suite finds, by the areas of which every mutant is found or classified. */
export function loadFoundInAreas(): Readonly<Record<string, Found>> {
  return parse(readFileSync(AREAS, 'utf8')) ?? {}
}

/** Replaces what is kept of an area by the mutants that were caught. */
export function recordArea(
  area: string,
  mutants: readonly BuiltMutant[],
  judgementOf: (key: string) => Judgement | undefined,
): void {
  const found = mutants.flatMap(({ key }): readonly (readonly [string, string])[] => {
    const { outcome, by } = judgementOf(key) ?? {}
    return outcome === 'caught' && by !== undefined ? [[key, by]] : []
  })
  const sorted = found.toSorted(([one], [other]) => (one < other ? -1 : 1))
  const areas = { ...loadFoundInAreas(), [area]: Object.fromEntries(sorted) }
  writeFileSync(AREAS, stringify(areas, { lineWidth: 0 }))
}

/** Whether the scenario alone fails on servers that have just started with the defect. */
async function failsAlone(subject: Subject, id: string, scenario: string): Promise<boolean> {
  const trial = subject.trials.find((one) => keyOf(one) === scenario)
  if (trial === undefined) return false
  await subject.activate({ active: id, atLoad: false })
  const { outcome } = await subject.run(trial)
  return outcome === 'fail' || outcome === 'hang'
}

/**
 * Adds the defects that were caught by a scenario which finds them alone, so that the gate can repeat it; those that are
 * not caught any more are removed. Defects whose scenarios the subject does not have stay as they are.
 */
export async function recordFound(
  subject: Subject,
  defects: readonly BuiltMutant[],
  judgementOf: (key: string) => Judgement | undefined,
): Promise<void> {
  const found = new Map(Object.entries(loadFound()))
  const scenarios = new Set(subject.trials.map(keyOf))
  for (const { key, rows } of defects) {
    const { outcome, by } = judgementOf(key) ?? {}
    if (rows === undefined || outcome === undefined || found.get(key) === by) continue
    if (outcome !== 'caught') found.delete(key)
    else if (by !== undefined && scenarios.has(by) && (await failsAlone(subject, key, by)))
      found.set(key, by)
  }
  const sorted = [...found].toSorted(([one], [other]) => (one < other ? -1 : 1))
  writeFileSync(FILE, stringify(Object.fromEntries(sorted), { lineWidth: 0 }))
}
