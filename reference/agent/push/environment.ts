import type { ReplyShape } from '../../api/reply-shape.ts'
import type { ApiVersion } from '../../api/versions.ts'
import type { SubjectForm } from '../../config/subject-form.ts'
import type { JsonClient } from '../../http-client/json-client.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Random } from '../../platform/random.ts'
import type { Attester } from '../attester/attester.ts'
import type { Registration } from '../registration/registration-request.ts'
import type { EvidenceSources } from './collect.ts'
import type { ImaCount } from './count-entries.ts'
import type { Pauses } from './pauses.ts'
import type { PushRules } from './push-rules.ts'

/** A clock that can wait; in tests its time passes only while it waits. */
export interface WaitingClock extends Pick<Clock, 'now'> {
  /** Resolves after the given time, or as soon as the signal is aborted. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** The dependencies of a push agent. */
export interface PushEnvironment extends EvidenceSources {
  readonly agentId: string
  readonly registrar: JsonClient
  readonly verifier: JsonClient
  readonly attester: Pick<
    Attester,
    'algorithms' | 'akPublic' | 'activate' | 'certify' | 'quote' | 'pcrs'
  >
  readonly registration: Registration
  readonly registrationRequest: ReplyShape<Registration>
  readonly registrarVersions: readonly ApiVersion[]
  /** The measurement list's entries and form, and the events of the firmware's log; undefined on a machine without that log. */
  countIma(): Promise<ImaCount | undefined>
  countBootEvents(): Promise<number | undefined>
  /** When the machine booted, ISO 8601 in UTC; the same text for the same boot. */
  bootTime(): Promise<string>
  readonly clock: WaitingClock
  readonly random: Random
  readonly pauses: Pauses
  readonly rules: PushRules
  /** The form of `available_subjects`: the document's list, or upstream's object by bank. */
  readonly subjectForm: SubjectForm
}
