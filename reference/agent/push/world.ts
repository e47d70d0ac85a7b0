import type { ReplyShape } from '../../api/reply-shape.ts'
import type { ApiVersion } from '../../api/versions.ts'
import type { SubjectForm } from '../../config/subject-form.ts'
import type { JsonClient } from '../../http-client/json-client.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Random } from '../../platform/random.ts'
import type { Attester } from '../attester/attester.ts'
import type { BootLog } from '../logs/boot-log.ts'
import type { ImaLog } from '../logs/ima-log.ts'
import type { Registration } from '../registration/registration-request.ts'
import type { Pauses } from './pauses.ts'
import type { PushRules } from './push-rules.ts'

/** Time that can be waited for; a test has one that does not pass by itself. */
export interface WaitingClock extends Clock {
  /** Resolves after some milliseconds, or at once when the signal is given. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** Everything outside that a push agent has to do with. */
export interface PushWorld {
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
  readonly imaLog: ImaLog
  readonly bootLog: BootLog
  /** How many entries they have; undefined where there is none. */
  countIma(): Promise<number | undefined>
  countBootEvents(): Promise<number | undefined>
  /** When the machine booted, ISO 8601 in UTC; the same text for the same boot. */
  bootTime(): Promise<string>
  readonly clock: WaitingClock
  readonly random: Random
  readonly pauses: Pauses
  readonly rules: PushRules
  /** What the agent calls its attestation key; verifiers may choose by it. */
  readonly keyName: string
  /** How `available_subjects` are told: as the document's list, or as upstream's object by bank. */
  readonly subjectForm: SubjectForm
}
