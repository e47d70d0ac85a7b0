import type { RunResult } from '../../../conformance/report/result.ts'
import { refuseRun } from './check-run.ts'
import { refuseTarget } from './check-target.ts'
import { refuseRows } from './cover-rows.ts'
import type { ProfileCatalogue } from './profile-catalogue.ts'
import { ASK_AGAIN, type KitRun, type Refusal, RUN_AGAIN } from './refusal.ts'

/** Runs of a certificate, each with a seed of its own. */
export const RUNS = 3

/** Why the runs give no certificate; empty if they do. */
export function refuseRuns(
  runs: readonly KitRun[],
  catalogue: ProfileCatalogue,
): readonly Refusal[] {
  return [
    ...(runs.length === RUNS
      ? []
      : [
          {
            says: `a certificate needs ${RUNS} runs, and there are ${runs.length}`,
            next: RUN_AGAIN,
          },
        ]),
    ...refuseSameSeeds(runs),
    ...refuseOtherTargets(runs),
    ...runs.flatMap((run) => refuseOneRun(run, catalogue)),
  ]
}

/** Why one run gives no certificate, whatever the others are. */
export function refuseOneRun(run: KitRun, catalogue: ProfileCatalogue): readonly Refusal[] {
  const { roles, versions, capabilities = [] } = run.result.target
  const claims = { roles: roles.map(({ role }) => role), versions, capabilities }
  const claimed = refuseTarget(catalogue.profile, claims)
  if (claimed.length > 0) return claimed
  const refused = refuseRun(run, catalogue)
  return refused.length > 0 ? refused : refuseRows(run, catalogue)
}

function refuseSameSeeds(runs: readonly KitRun[]): readonly Refusal[] {
  return runs.flatMap(({ name, result }, at) => {
    const { seed, started_at: started } = result
    const earlier = runs.slice(0, at)
    const twin = earlier.find((one) => one.result.seed === seed)
    if (twin !== undefined)
      return [{ says: `${twin.name} and ${name} have one seed, ${seed}`, next: RUN_AGAIN }]
    const overlapping = earlier.find((one) => one.result.finished_at > started)
    if (overlapping === undefined) return []
    const says = `${name} began before ${overlapping.name} had ended`
    return [{ says, next: ASK_AGAIN }]
  })
}

/** What must be the same in every run. */
const SAME: readonly (readonly [what: string, of: (result: RunResult) => unknown])[] = [
  ['version of Assay', (result) => result.assay_version],
  ['interface document', (result) => result.interface_sha256],
  ['target', ({ target }) => target.name],
  ['target file', ({ target }) => target.file],
  ['roles', ({ target }) => target.roles.map(({ role }) => role)],
  ['API versions', ({ target }) => target.versions],
  ['capabilities', ({ target }) => target.capabilities],
  ['dialect', ({ target }) => target.dialect],
]

function refuseOtherTargets([first, ...others]: readonly KitRun[]): readonly Refusal[] {
  return others.flatMap((other) =>
    SAME.flatMap(([what, of]) => {
      const isSame =
        first === undefined || JSON.stringify(of(first.result)) === JSON.stringify(of(other.result))
      if (isSame) return []
      const says = `${first.name} and ${other.name} are of different deployments: another ${what}`
      return [{ says, next: ASK_AGAIN }]
    }),
  )
}
