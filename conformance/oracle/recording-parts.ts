import { member } from '../../simulator/services/choose-evidence.ts'
import type { Attributes } from '../../simulator/services/verifier-truth.ts'
import { PrerequisiteFailed } from '../attempt/endings.ts'
import type { PushOperation, PushStep } from '../peers/push-timeline.ts'

/** Every deed of a step, in order. */
export function stepsOf(
  operations: readonly PushOperation[],
  step: PushStep,
): readonly PushOperation[] {
  return operations.filter((operation) => operation.step === step)
}

/** The first deed of a step; ends the scenario when there is none. */
export function firstOf(operations: readonly PushOperation[], step: PushStep): PushOperation {
  const [first] = stepsOf(operations, step)
  if (first !== undefined) return first
  throw new PrerequisiteFailed(`the agent never took the step ${step}`)
}

/** `data` of the document that a deed sent. */
export function documentOf({ heard: { json } }: Pick<PushOperation, 'heard'>): Attributes {
  return (member(json, 'data') ?? {}) as Attributes
}

/** `data.attributes` of it. */
export function attributesOf(operation: Pick<PushOperation, 'heard'>): Attributes {
  return (member(documentOf(operation), 'attributes') ?? {}) as Attributes
}

/** Whether the servers took it: a status of success. */
export function isTaken({ answer }: Pick<PushOperation, 'answer'>): boolean {
  return answer !== 'reset' && answer.status >= 200 && answer.status < 300
}

/** Deeds of a step that were answered well. */
export function takenOf(
  operations: readonly PushOperation[],
  step: PushStep,
): readonly PushOperation[] {
  return stepsOf(operations, step).filter(isTaken)
}

/** Token of an Authorization header, and whether a word stands before it. */
export function authorizationOf({
  heard: { headers },
}: Pick<PushOperation, 'heard'>): string | undefined {
  return headers['authorization']
}

/** Tokens that the verifier gave, in order. */
export function tokensGiven(operations: readonly PushOperation[]): readonly string[] {
  return takenOf(operations, 'proof').flatMap(({ answer }) => {
    if (answer === 'reset') return []
    const token = member(member(member(answer.body, 'data'), 'attributes'), 'token')
    return typeof token === 'string' ? [token] : []
  })
}
