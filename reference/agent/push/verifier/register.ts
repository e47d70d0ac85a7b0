import type { ApiVersion } from '../../../api/versions.ts'
import { StartFault } from '../../../errors.ts'
import { type VersionOrder, versionsToTry } from '../../registration/negotiate-version.ts'
import { NoRegistrar } from '../../registration/no-registrar.ts'
import { Refusal, registerOnce, Unanswered } from '../../registration/register.ts'
import type { PushEvent } from '../events.ts'
import { failureOf, failureWithout, type StatusRow, unreadable, whyOf } from '../outcomes.ts'
import type { StateHandler } from '../state-handler.ts'

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

/**
 * Push mode belongs to 3.0, so the first attempt uses it if both support it; the next attempt uses the registrar's own
 * current version, and so on in turns: there are registrars that list 3.0 and cannot serve it (ambiguity SAMEREG). One
 * try is one registration, unless the registrar does not list its versions.
 */
function versionOfTry(failures: number): VersionOrder {
  return (reply, ours) => {
    const usual = versionsToTry(reply, ours)
    if (usual.length !== 1) return usual
    const turns: readonly ApiVersion[] = [...new Set([...newest(reply, ours), ...usual])]
    return turns.slice(failures % turns.length, (failures % turns.length) + 1)
  }
}

function newest(reply: Parameters<VersionOrder>[0], ours: readonly ApiVersion[]) {
  const { supported_versions } = (reply.body as VersionBody).results
  return ours.filter((version) => version === '3.0' && supported_versions.includes(version))
}

/** The version reply, which was validated before. */
interface VersionBody {
  readonly results: { readonly supported_versions: readonly string[] }
}
