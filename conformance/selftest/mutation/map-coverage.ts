import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { selects, type Trial } from '../../runner/plan.ts'
import type { Subject } from './subject.ts'

/** What a scenario does with the unchanged reference. */
export interface Covered {
  readonly trial: Trial
  readonly ms: number
  readonly reached: ReadonlySet<string>
}

/** The scenarios that pass, with the mutants whose code they reach. */
export interface CoverageMap {
  readonly covered: readonly Covered[]
  readonly atLoad: ReadonlySet<string>
  readonly atStart: ReadonlySet<string>
}

/** The file of a map: scenario and version, milliseconds, mutants; only the scenarios that pass. */
interface Kept {
  readonly atLoad: readonly string[]
  readonly atStart: readonly string[]
  readonly passed: Readonly<Record<string, readonly [ms: number, reached: readonly string[]]>>
}

/**
 * Runs every scenario once against the unchanged reference, one at a time on each subject, and maps what each of them
 * reaches. Scenarios that do not pass cannot find a mutant, and are left out. The map of a build is kept in `file`.
 */
export async function mapCoverage(
  subjects: readonly Subject[],
  file: string,
  patterns: string,
): Promise<CoverageMap> {
  const kept: Kept = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : await measure(subjects, file)
  const chosen = ({ scenario }: Trial) =>
    patterns.split(',').some((pattern) => selects(pattern, scenario.id))
  const covered = (subjects[0]?.trials ?? []).filter(chosen).flatMap((trial) => {
    const [ms, reached] = kept.passed[`${trial.scenario.id}@${trial.version}`] ?? []
    return ms === undefined ? [] : [{ trial, ms, reached: new Set(reached) }]
  })
  return { covered, atLoad: new Set(kept.atLoad), atStart: new Set(kept.atStart) }
}

async function measure(subjects: readonly Subject[], file: string): Promise<Kept> {
  const { atLoad = [], atStart = [] } = (await subjects[0]?.coverStart()) ?? {}
  const passed: Record<string, readonly [number, readonly string[]]> = {}
  const next = (subjects[0]?.trials ?? []).values()
  await Promise.all(
    subjects.map(async (subject) => {
      for (const trial of next) {
        const { result, reached } = await subject.cover(trial)
        if (result.outcome === 'pass')
          passed[`${trial.scenario.id}@${trial.version}`] = [Math.round(result.ms), reached]
      }
    }),
  )
  const kept = { atLoad, atStart, passed }
  writeFileSync(file, JSON.stringify(kept))
  return kept
}
