import type { ReplyShape } from '../../api/reply-shape.ts'
import { jsonClient } from '../../http-client/json-client.ts'
import { openAttester } from '../attester/attester.ts'
import { REGISTRATION_REQUEST, type Registration } from '../registration/registration-request.ts'
import type { PushEvent } from './events.ts'
import { type PushEffects, pushEffects } from './memory.ts'
import { PUSH_MOVES, type PushMove } from './moves.ts'
import { pause, pauseWithToken } from './pause.ts'
import { type PushRules, pushRules } from './push-rules.ts'
import type { StateHandler } from './state-handler.ts'
import type { PushState } from './states.ts'
import { negotiate } from './verifier/negotiate.ts'
import { openSession } from './verifier/open-session.ts'
import { register } from './verifier/register.ts'
import { submit } from './verifier/submit.ts'

/** The parts of a push agent that mutants and tests may replace. */
export interface PushAgentParts {
  readonly moves: readonly PushMove[]
  readonly effects: PushEffects
  readonly handlers: Readonly<Record<PushState, StateHandler>>
  readonly rules: PushRules
  /** Creates the clients of its servers. */
  readonly connect: typeof jsonClient
  /** Opens the TPM operations of the agent. */
  readonly openAttester: typeof openAttester
  readonly registrationRequest: ReplyShape<Registration>
}

const began: StateHandler = async () => ({ kind: 'began' })
const stopped: StateHandler = async (): Promise<PushEvent> => ({ kind: 'stopped' })

export const PUSH_AGENT_PARTS: PushAgentParts = {
  moves: PUSH_MOVES,
  effects: pushEffects,
  handlers: {
    Unregistered: register,
    RegistrationFailed: pause,
    Registered: began,
    Authenticating: openSession,
    Negotiating: negotiate,
    Attesting: submit,
    Attested: pauseWithToken,
    AttestationFailed: pauseWithToken,
    Stopped: stopped,
  },
  rules: pushRules,
  connect: jsonClient,
  openAttester,
  registrationRequest: REGISTRATION_REQUEST,
}
