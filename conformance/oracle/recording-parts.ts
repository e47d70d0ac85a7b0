import { member } from '../../simulator/services/choose-evidence.ts'
import type { Attributes } from '../../simulator/services/verifier-truth.ts'
import type { PushOperation, PushStep } from '../peers/push-timeline.ts'
import { stepNotTaken } from '../peers/step-not-taken.ts'

/** The operations of a step, in order. */
export function stepsOf(
  operations: readonly PushOperation[],
  step: PushStep,
): readonly PushOperation[] {
  return operations.filter((operation) => operation.step === step)
}

/** The first operation of a step. @throws {PrerequisiteFailed} if there is none */
export function firstOf(operations: readonly PushOperation[], step: PushStep): PushOperation {
  const [first] = stepsOf(operations, step)
  if (first !== undefined) return first
  throw stepNotTaken(step, { expected: 'at least once', received: 'never' })
}

/** `data` of the document in a request. */
export function documentOf({ request: { json } }: Pick<PushOperation, 'request'>): Attributes {
  return (member(json, 'data') ?? {}) as Attributes
}

/** `data.attributes` of the document in a request. */
export function attributesOf(operation: Pick<PushOperation, 'request'>): Attributes {
  return (member(documentOf(operation), 'attributes') ?? {}) as Attributes
}

/** Whether the server accepted the request (2xx). */
export function isTaken({ answer }: Pick<PushOperation, 'answer'>): boolean {
  return answer !== 'reset' && answer.status >= 200 && answer.status < 300
}

/** The accepted operations of a step. */
export function takenOf(
  operations: readonly PushOperation[],
  step: PushStep,
): readonly PushOperation[] {
  return stepsOf(operations, step).filter(isTaken)
}

/** Token of an Authorization header, and whether a scheme precedes it. */
export function authorizationOf({
  request: { headers },
}: Pick<PushOperation, 'request'>): string | undefined {
  return headers['authorization']
}

/** Tokens that the verifier issued, in order. */
export function tokensGiven(operations: readonly PushOperation[]): readonly string[] {
  return takenOf(operations, 'proof').flatMap(({ answer }) => {
    if (answer === 'reset') return []
    const token = member(member(member(answer.body, 'data'), 'attributes'), 'token')
    return typeof token === 'string' ? [token] : []
  })
}
