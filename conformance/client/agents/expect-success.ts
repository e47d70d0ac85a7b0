import { show } from '../../attempt/check.ts'
import { PrerequisiteFailed } from '../../attempt/endings.ts'
import { isSuccess, type Reply } from '../../attempt/reply.ts'

interface SuccessRow {
  /** The requirement on the answer to the request. */
  readonly requirement: string
  /** The status that it names; any success is enough for a step. */
  readonly status: number
}

/** The requests that bring a subject into the state that a scenario needs. */
const SUCCESSES = {
  registration: { requirement: 'REG-REGISTER-STATUS', status: 200 },
  activation: { requirement: 'REG-ACTIVATE-STATUS', status: 200 },
  'adding an agent': { requirement: 'VER-ADD-STATUS', status: 200 },
  'deleting an agent': { requirement: 'VER-DELETE-200', status: 200 },
  'adding a policy': { requirement: 'VER-POLICY-CREATE', status: 200 },
  'opening a session': { requirement: 'SES-CREATE-STATUS', status: 200 },
  'the proof of possession': { requirement: 'SES-PASS-STATUS', status: 200 },
  'the capabilities POST': { requirement: 'ATT-CREATE-STATUS', status: 201 },
  'the evidence PATCH': { requirement: 'ATT-SUBMIT-STATUS', status: 202 },
} as const satisfies Readonly<Record<string, SuccessRow>>

/** Returns the reply. @throws {PrerequisiteFailed} if it is not a success, with the requirement on that answer */
export function expectSuccess(step: keyof typeof SUCCESSES, reply: Reply): Reply {
  if (isSuccess(reply)) return reply
  const { requirement, status } = SUCCESSES[step]
  throw new PrerequisiteFailed({
    ...{ requirement, what: step },
    ...{ expected: `HTTP ${status}`, received: show(reply) },
  })
}
