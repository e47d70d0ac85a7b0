import {
  DeadlinePassed,
  Interrupted,
  NotApplicable,
  Overslept,
  PrerequisiteFailed,
} from '../attempt/endings.ts'
import type { FailedStep } from '../report/result.ts'
import type { Recorded } from './values.ts'

const ENDINGS = { DeadlinePassed, Interrupted, NotApplicable, Overslept } as const

/** The recorded form of an error. */
export function encodeEnding(error: unknown): Recorded {
  const { message } = error instanceof Error ? error : { message: String(error) }
  if (error instanceof PrerequisiteFailed)
    return { kind: 'PrerequisiteFailed', message, ...(error.step && { step: { ...error.step } }) }
  const kind = Object.entries(ENDINGS).find(([, type]) => error instanceof type)?.[0]
  return { kind: kind ?? 'Error', message }
}

/** The error of a recorded form. */
export function decodeEnding(recorded: Recorded): Error {
  const { kind, message, step } = recorded as unknown as {
    readonly kind: string
    readonly message: string
    readonly step?: FailedStep
  }
  if (kind === 'PrerequisiteFailed') return new PrerequisiteFailed(step ?? message)
  const Ending = ENDINGS[kind as keyof typeof ENDINGS] ?? Error
  return new Ending(message)
}
