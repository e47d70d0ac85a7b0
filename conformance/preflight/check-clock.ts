import { presentDuration } from '../input/duration.ts'
import { SetupFault } from '../input/fault.ts'
import type { TargetRole } from '../target/target.ts'
import { type Answer, statusOf } from './ask.ts'
import type { DoctorCheck, Examination, StepResult } from './examination.ts'

const FAULT_MS = 60_000
const WARNING_MS = 5_000
/** A Date header has whole seconds, so it is half a second behind on average. */
const HALF_SECOND = 500

const NEXT = 'synchronize both clocks'

async function askForDate({ ask }: Examination, url: string): Promise<Answer> {
  const asked = await ask({ method: 'GET', url: `${url}/version`, as: 'anonymous' })
  if (statusOf(asked) > 0) return asked
  return await ask({ method: 'GET', url: `${url}/version`, as: 'admin' })
}

async function compareClocks(at: Examination, { role, url }: TargetRole): Promise<StepResult> {
  const asked = at.now()
  const answer = await askForDate(at, url)
  const middle = (asked + at.now()) / 2
  const date = answer.kind === 'answered' ? Date.parse(answer.date ?? '') : Number.NaN
  if (Number.isNaN(date)) return { detail: 'no Date header: the clocks are not compared' }
  const skew = date + HALF_SECOND - middle
  const size = Math.abs(skew)
  const detail = `${presentDuration(size)} ${skew < 0 ? 'behind' : 'ahead of'} the local clock`
  if (size > FAULT_MS) {
    throw new SetupFault(`the clock of ${role} is ${detail}`, { code: 'D-CLOCK-SKEW', next: NEXT })
  }
  return size > WARNING_MS ? { detail, warning: { code: 'D-CLOCK-SKEW', next: NEXT } } : { detail }
}

/** The clock of each role agrees with the local clock. */
export const checkClock: DoctorCheck = {
  name: 'clock',
  stage: 'identity',
  codes: ['D-CLOCK-SKEW'],
  steps: (at) =>
    at.target.roles.map((entry) => ({
      what: `clock of ${entry.role}`,
      run: () => compareClocks(at, entry),
    })),
}
