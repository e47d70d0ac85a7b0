import {
  type ProfileRow,
  scopeOfProfile,
} from '../../../conformance/catalogue/certification/profile-scope.ts'
import type { CertificateProfile } from '../../../conformance/catalogue/certification/profiles.ts'
import { applies } from '../../../conformance/catalogue/routes/operations.ts'
import type { RunResult } from '../../../conformance/report/result.ts'
import { planTrials, type Trial } from '../../../conformance/runner/plan.ts'
import type { Judge } from '../../../conformance/runner/result/merge-results.ts'

/** What this Assay knows of a profile; `scenarios` are those of the profile. */
export interface ProfileCatalogue extends Judge {
  readonly profile: CertificateProfile
  readonly rows: readonly ProfileRow[]
  readonly rowsById: ReadonlyMap<string, Judge['requirements'][number]>
  /** The plan of a run of the profile against a target. */
  trialsFor(target: RunResult['target']): readonly Trial[]
}

export function profileCatalogue(profile: CertificateProfile, judge: Judge): ProfileCatalogue {
  const { rows, scenarios } = scopeOfProfile(profile, judge.requirements, judge.scenarios)
  return {
    ...judge,
    ...{ profile, rows, scenarios },
    rowsById: new Map(judge.requirements.map((row) => [row.id, row])),
    trialsFor: ({ roles, versions, capabilities = [] }) =>
      planTrials(scenarios, {
        roles: roles.map(({ role }) => role),
        versions: versions.filter((version) => applies(profile.versions, version)),
        ...{ capabilities, only: [] },
      }),
  }
}
