/**
 * States of a push agent. `Unregistered` to `AttestationFailed` are those of the interface document ("Push agent client
 * state machine"), which has the session as a part of negotiation and the wait as a part of attesting; both are states
 * of their own here, so that each state does one thing.
 */
export const PUSH_STATES = {
  Unregistered: 'registers with the registrar',
  RegistrationFailed: 'waits, and registers again',
  Registered: 'begins',
  Authenticating: 'opens a session: a challenge, the proof of possession, a token',
  Negotiating: 'sends its capabilities, and awaits the challenge',
  Attesting: 'collects the requested evidence, and sends it',
  Attested: 'waits until the next attestation',
  AttestationFailed: 'waits, and continues with negotiation',
  Stopped: 'has ended',
} as const

export type PushState = keyof typeof PUSH_STATES

/** Failures that are possible in every state with requests. */
export const PUSH_FAILURES = {
  unreachable: 'there is no connection',
  untrusted: 'the server certificate is not the expected one: nothing was sent',
  reset: 'the connection ended before the answer did',
  timed_out: 'the answer took too long',
  unreadable: 'the answer is too large, no JSON, or not of the shape that it has to be',
  redirected: 'HTTP 3xx: it is not followed',
  unauthorized: 'HTTP 401',
  forbidden: 'HTTP 403',
  not_found: 'HTTP 404',
  conflict: 'HTTP 409',
  gone: 'HTTP 410',
  unprocessable: 'HTTP 422',
  too_many: 'HTTP 429',
  server_error: 'HTTP 5xx',
  refused: 'any other status that is not the one of success',
  faulted: 'the agent itself cannot: its TPM, a log or its disk',
} as const

export type PushFailure = keyof typeof PUSH_FAILURES

/** Events of a push agent. */
export const PUSH_EVENTS = {
  registered: 'the registrar took registration and activation',
  began: 'there is nothing to wait for',
  granted: 'the proof passed, and there is a token',
  proof_failed: 'the proof was evaluated as `fail`, or the reply has no token',
  challenged: 'HTTP 201: a challenge, and the requested evidence',
  nothing_requested: 'HTTP 201, and nothing is to be sent',
  accepted: 'HTTP 202',
  waited: 'the wait is over, and the token serves on',
  token_due: 'the wait is over, and there is no token, or it ends soon',
  late: 'a challenge expired before it could be answered',
  unacceptable: 'the requested evidence was not offered',
  ...PUSH_FAILURES,
  stopped: 'the agent was asked to stop',
} as const

export type PushEventKind = keyof typeof PUSH_EVENTS

/** Effects of a transition. */
export const PUSH_EFFECTS = {
  keep_token: 'the token is kept, in memory alone',
  drop_token: 'the token is forgotten',
  keep_challenge: 'the challenge and the requested evidence are kept',
  drop_challenge: 'they are forgotten: no challenge is answered twice',
  forget_failures: 'the next failure is the first',
  back_off: 'the wait is twice the previous one, or that of `Retry-After`',
  rest: 'the wait is `seconds_to_next_attestation`, or the interval of the settings',
} as const

export type PushEffect = keyof typeof PUSH_EFFECTS
