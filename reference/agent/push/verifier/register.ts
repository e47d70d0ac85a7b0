import { StartFault } from '../../../errors.ts'
import { NoRegistrar } from '../../registration/no-registrar.ts'
import { Refusal, registerOnce, Unanswered } from '../../registration/register.ts'
import type { PushEvent } from '../events.ts'
import { failureOf, failureWithout, type StatusRow, unreadable, whyOf } from '../outcomes.ts'
import type { StateHandler } from '../state-handler.ts'
import { versionOfTry } from './version-of-try.ts'

const REGISTRAR = 'registrar'

/** Registers with the registrar and activates the attestation key, once. */
export const register: StateHandler = async (environment, { failures }) => {
  const { registrar, attester, registration, clock } = environment
  const order = versionOfTry(failures)
  const parts = { registrar, attester, versions: environment.registrarVersions, order }
  try {
    await registerOnce({ ...parts, request: environment.registrationRequest }, registration)
    return { kind: 'registered' }
  } catch (error) {
    return failureIn(environment.rules.statuses, error, clock.now())
  }
}

function failureIn(statuses: readonly StatusRow[], error: unknown, now: number): PushEvent {
  if (error instanceof Unanswered)
    return error.reply === undefined
      ? failureWithout(REGISTRAR, error.cause)
      : failureOf(statuses, REGISTRAR, error.reply, now)
  if (error instanceof Refusal)
    return { ...failureOf(statuses, REGISTRAR, error.reply, now), why: whyOf(error) }
  if (error instanceof NoRegistrar) return unreadable(REGISTRAR, error.sentence)
  if (error instanceof StartFault) return { kind: 'faulted', why: whyOf(error) }
  throw error
}
