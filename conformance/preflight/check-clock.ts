import { presentDuration } from '../input/duration.ts'
import { SetupFault } from '../input/fault.ts'
import type { TargetRole } from '../target/target.ts'
import { type Answer, statusOf } from './ask.ts'
import type { DoctorCheck, Examination, Seen } from './examination.ts'

const FAULT_MS = 60_000
const WARNING_MS = 5_000
/** A Date header has whole seconds, so that it is behind by half a second in the mean. */
const HALF_SECOND = 500

const NEXT = 'set both clocks by the same source of time'

async function askForDate({ ask }: Examination, url: string): Promise<Answer> {
  const asked = await ask({ method: 'GET', url: `${url}/version`, as: 'anonymous' })
  if (statusOf(asked) > 0) return asked
  return await ask({ method: 'GET', url: `${url}/version`, as: 'admin' })
}

async function compareClocks(at: Examination, { role, url }: TargetRole): Promise<Seen> {
  const asked = at.now()
  const answer = await askForDate(at, url)
  const middle = (asked + at.now()) / 2
  const date = answer.kind === 'answered' ? Date.parse(answer.date ?? '') : Number.NaN
  if (Number.isNaN(date)) return { detail: 'it tells no time: clocks are not compared' }
  const skew = date + HALF_SECOND - middle
  const size = Math.abs(skew)
  const detail = `${presentDuration(size)} ${skew < 0 ? 'behind' : 'ahead of'} the clock here`
  if (size > FAULT_MS) {
    throw new SetupFault(`the clock of ${role} is ${detail}`, { code: 'D-CLOCK-SKEW', next: NEXT })
  }
  return size > WARNING_MS ? { detail, warning: { code: 'D-CLOCK-SKEW', next: NEXT } } : { detail }
}

/** The time that each role tells, held against the time here. */
export const checkClock: DoctorCheck = {
  name: 'clock',
  stage: 'identity',
  codes: ['D-CLOCK-SKEW'],
  looks: (at) =>
    at.target.roles.map((entry) => ({
      what: `clock of ${entry.role}`,
      look: () => compareClocks(at, entry),
    })),
}
