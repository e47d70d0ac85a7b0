import { PrerequisiteFailed } from '../attempt/endings.ts'
import type { PushStep } from './push-timeline.ts'

/** The requirement that an agent violates if it does not take a step. */
const REQUIREMENTS: Readonly<Partial<Record<PushStep, string>>> = {
  register: 'PSH-REGISTERS-FIRST',
  activate: 'PSH-ACTIVATES',
  session: 'PSH-SESSION-FIRST',
  proof: 'PSH-PROOF-ROUTE',
  capabilities: 'PSH-STATE-NEGOTIATES',
  evidence: 'PSH-SENDS-EVIDENCE',
}

/** The error for a step that a push agent did not take as often as it had to. */
export function stepNotTaken(
  step: PushStep,
  values: { readonly expected: string; readonly received: string },
): PrerequisiteFailed {
  const requirement = REQUIREMENTS[step]
  const what = `the step ${step} of the agent`
  return new PrerequisiteFailed({
    ...(requirement === undefined ? {} : { requirement }),
    ...{ what, ...values },
  })
}
