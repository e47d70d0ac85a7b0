import { SetupFault } from '../input/fault.ts'
import type { TargetRole } from '../target/target.ts'
import { statusOf } from './ask.ts'
import { type DoctorCheck, type Examination, type StepResult, urlOf } from './examination.ts'
import { adminQuestion, pullVersion } from './routes.ts'
import { advertisedVersions, lacksPushRoutes, servesVersion } from './versions.ts'

function unadvertised(versions: readonly string[]): string {
  return versions.length === 1 ? `version ${versions[0]}` : `versions ${versions.join(', ')}`
}

async function compareVersions(at: Examination, { role, url }: TargetRole): Promise<StepResult> {
  const { target, ask } = at
  const listed = await advertisedVersions(ask, url)
  const next = `correct versions in ${target.file}, or enable them in the ${role}`
  const wrong = { code: 'D-VERSION', next } as const
  if (listed === undefined) {
    return { detail: `${role} returns no readable list of versions`, warning: wrong }
  }
  const missing = target.versions.filter((version) => !listed.includes(version))
  const served = await Promise.all(
    missing.map(async (version) => await servesVersion(ask, role, url, version)),
  )
  const absent = missing.filter((_, index) => !served[index])
  const list = listed.join(', ')
  if (absent.length > 0) {
    const sentence = `${role} does not advertise ${unadvertised(absent)}; it lists ${list}`
    throw new SetupFault(sentence, wrong)
  }
  if (missing.length > 0) {
    const detail = `${role} serves ${unadvertised(missing)} but lists ${list}`
    return { detail, warning: wrong }
  }
  return { detail: `lists ${list}` }
}

/**
 * Each role advertises the versions under test. A role that serves an unadvertised version, or advertises nothing,
 * gets a warning and is tested.
 */
export const checkVersions: DoctorCheck = {
  name: 'versions',
  stage: 'service',
  codes: ['D-VERSION'],
  steps: (at) =>
    at.target.roles.map((entry) => ({
      what: `versions of ${entry.role}`,
      run: () => compareVersions(at, entry),
    })),
}

async function checkPushRoutes(at: Examination, url: string): Promise<StepResult> {
  const { target, ask } = at
  if (!(await lacksPushRoutes(ask, url))) return { detail: 'POST /v3/sessions is known' }
  const next = `put the verifier into push mode, or take '3.0' out of versions in ${target.file}`
  const wrong = { code: 'D-MODE', next } as const
  const sentence = 'the verifier does not know POST /v3/sessions, and 3.0 is to be tested'
  const claimed = (await advertisedVersions(ask, url))?.includes('3.0') ?? false
  const version = pullVersion(target.versions)
  const other = version && (await ask(adminQuestion('verifier', url, version)))
  const knowsOthers = other !== undefined && other !== '' && ![0, 404].includes(statusOf(other))
  // A verifier that advertises 3.0, or knows no route at all, has a defect and no wrong set-up: scenarios report it.
  if (claimed || !knowsOthers) return { detail: sentence, warning: wrong }
  throw new SetupFault(sentence, wrong)
}

/** A verifier that is tested under 3.0 has push endpoints. */
export const checkMode: DoctorCheck = {
  name: 'mode',
  stage: 'service',
  codes: ['D-MODE'],
  steps: (at) => {
    const url = urlOf(at, 'verifier')
    if (url === undefined || !at.target.versions.includes('3.0')) return []
    return [{ what: 'push endpoints', run: () => checkPushRoutes(at, url) }]
  },
}
