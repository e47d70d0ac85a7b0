import { isDeepStrictEqual } from 'node:util'
import type { TargetRole } from '../target/target.ts'
import { type Answer, isAccepted, presentAnswer } from './ask.ts'
import type { DoctorCheck, Examination, StepResult } from './examination.ts'
import { adminQuestion, pullVersion } from './routes.ts'

/** A path that no version has. */
const UNKNOWN_PATH = '/assay-asks-for-a-path-that-does-not-exist'

/** Whether two answers differ in nothing but their time. */
function isSame(one: Answer, other: Answer): boolean {
  if (one.kind === 'broken' || other.kind === 'broken') return false
  return one.status === other.status && isDeepStrictEqual(one.body, other.body)
}

async function compareAnswers(
  { target, ask }: Examination,
  { role, url }: TargetRole,
): Promise<StepResult> {
  const version = pullVersion(target.versions) ?? '3.0'
  const unknown = await ask({ method: 'GET', url: url + UNKNOWN_PATH, as: 'admin' })
  const known = [
    await ask({ method: 'GET', url: `${url}/version`, as: 'anonymous' }),
    await ask(adminQuestion(role, url, version)),
  ]
  const next = `read the log of the ${role}; a server that does nothing passes no scenario`
  const warning = { code: 'D-FUNCTION', next } as const
  if (known.every((answer) => isSame(answer, unknown)))
    return { detail: `${role} ${presentAnswer(unknown)} to every request alike`, warning }
  if (isAccepted(unknown))
    return {
      detail: `${role} ${presentAnswer(unknown)} also for a path that no version has`,
      warning,
    }
  return { detail: `${role} distinguishes known and unknown paths` }
}

/** The answers of each role depend on the request. A server that does nothing gets a warning, and is tested. */
export const checkFunction: DoctorCheck = {
  name: 'function',
  stage: 'service',
  codes: ['D-FUNCTION'],
  steps: (at) =>
    at.target.roles.map((entry) => ({
      what: `answers of ${entry.role} differ`,
      run: () => compareAnswers(at, entry),
    })),
}
