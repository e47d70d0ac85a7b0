import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Disagreement } from './disagreement.ts'

/**
 * Results of a suite: the class of each scenario by id and version (`push.evidence.accepted@3.0`), and the servers that
 * had to be started again.
 */
export type SuiteResults = Readonly<Record<string, string>>

/** Loads the results that the user has accepted for a release; undefined if there are none. */
export function loadAccepted(file: string): SuiteResults | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** Accepts these results; of a part of the suite, it keeps what was accepted of other scenarios. */
export function acceptResults(file: string, seen: SuiteResults, isWhole: boolean): void {
  const all = isWhole ? seen : { ...loadAccepted(file), ...seen }
  writeFileSync(file, `${JSON.stringify(all, null, 1)}\n`)
}

const SHOWN = 10

/**
 * Throws a {@link Disagreement} if a result differs from the accepted one, for the better or the worse. Accepted results
 * of scenarios that did not run are compared only if the whole suite ran.
 */
export function expectAccepted(accepted: SuiteResults, seen: SuiteResults, isWhole: boolean): void {
  const names = Object.keys(isWhole ? { ...accepted, ...seen } : seen)
  const changed = names.filter((name) => accepted[name] !== seen[name])
  if (changed.length === 0) return
  const present = (results: SuiteResults) => {
    const first = changed.slice(0, SHOWN).map((name) => `${name} ${results[name] ?? 'absent'}`)
    const more = changed.length > SHOWN ? ` and ${changed.length - SHOWN} more` : ''
    return `${first.join(', ')}${more}`
  }
  throw new Disagreement('results', present(accepted), present(seen))
}
