import { type Operation, operations } from './operations.ts'
import type {
  Answer,
  Exchange,
  Meeting,
  ReceivedRequest,
  Service,
  ServiceOptions,
} from './service.ts'
import { startService } from './service.ts'
import { BEHAVIOURS, type BehaviourName, type Elsewhere, NOWHERE } from './verifier-behaviours.ts'
import {
  type Bearer,
  refusal,
  type StepResult,
  type TakenStep,
  VerifierProtocol,
  type VerifierStep,
  verifierStepOf,
} from './verifier-protocol.ts'
import {
  type Attestation,
  DEFAULT_SETTINGS,
  type Session,
  type VerifierSettings,
} from './verifier-truth.ts'

/** A scripted answer to the next requests of one step. */
export interface VerifierScriptStep extends Operation<VerifierStep> {
  /** A named behaviour, or a fixed answer. */
  readonly does: BehaviourName | Answer
}

/** A request to the verifier, with its meaning in the protocol. */
export interface VerifierExchange extends Exchange {
  /** Undefined for a request that is not a step. */
  readonly step: VerifierStep | undefined
  /** The behaviour of the answer; undefined for the correct one. */
  readonly did: string | undefined
  /** Whether it carried a token that was valid at that time. */
  readonly bearer: Bearer
  /** For a session or a proof: the session. For capabilities or evidence: the attestation. */
  readonly session?: Session | undefined
  readonly attestation?: Attestation | undefined
}

interface VerifierOptions extends Omit<ServiceOptions, 'answer' | 'onExchange'> {
  readonly settings?: Partial<VerifierSettings>
  readonly script?: readonly VerifierScriptStep[]
  readonly onExchange?: ((exchange: VerifierExchange) => void) | undefined
  /** Targets of redirects: base URLs, with and without TLS. */
  readonly elsewhere?: Elsewhere
}

/**
 * The verifier for a push agent under test. It accepts everything, even without a token: the checks are elsewhere,
 * and an agent with one fault can show its other behaviour. It refuses an expired token.
 */
export interface ScriptedVerifier extends Omit<Service, 'exchanges'> {
  readonly exchanges: readonly VerifierExchange[]
  /** Replaces the scripted answers. */
  play(next: readonly VerifierScriptStep[]): void
  /** Changes settings from now on. */
  set(settings: Partial<VerifierSettings>): void
  /** Invalidates all tokens. */
  forgetTokens(): void
}

const BEARING: ReadonlySet<VerifierStep> = new Set(['capabilities', 'evidence'])
const UNKNOWN = { step: undefined, did: undefined, bearer: 'none' } as const

/** The part of a record that is known before the exchange. */
type Known = Omit<VerifierExchange, keyof Exchange>

/** Starts it on free ports of 127.0.0.1, with and without TLS. */
export async function startVerifier(options: VerifierOptions): Promise<ScriptedVerifier> {
  const { elsewhere = NOWHERE, onExchange, script } = options
  let settings: VerifierSettings = { ...DEFAULT_SETTINGS, ...options.settings }
  const protocol = new VerifierProtocol(() => settings)
  const planned = operations<VerifierStep, VerifierScriptStep>(script)
  const exchanges: VerifierExchange[] = []
  const known = new Map<ReceivedRequest, Known>()
  const answer = (request: ReceivedRequest): Answer => {
    const one = verifierStepOf(request)
    if (one === undefined) {
      known.set(request, UNKNOWN)
      return refusal(404, 'unknown path')
    }
    const { reply, isRefused, ...about } = correctAnswer(protocol, one, request)
    const operation = isRefused ? undefined : planned.take(one.step)
    known.set(request, { step: one.step, did: nameOf(operation), ...about })
    if (operation === undefined) return reply
    if (typeof operation.does === 'object') return operation.does
    return BEHAVIOURS[operation.does].answers(reply, { elsewhere, request })
  }
  const service = await startService({
    ...options,
    answer,
    onExchange: (exchange) => {
      const about = known.get(exchange.request) ?? UNKNOWN
      known.delete(exchange.request)
      const whole = { ...exchange, ...about }
      exchanges.push(whole)
      onExchange?.(whole)
    },
  })
  return {
    port: service.port,
    tlsPort: service.tlsPort,
    exchanges,
    get clearAttempts() {
      return service.clearAttempts
    },
    get connections() {
      return service.connections
    },
    show: (shown) => service.show(shown),
    meet: (meeting: Meeting | undefined) => service.meet(meeting),
    close: () => service.close(),
    play: planned.play,
    set(next) {
      settings = { ...settings, ...next }
    },
    forgetTokens: () => protocol.forgetTokens(),
  }
}

/** Returns the correct answer to a step; refuses an invalid token first. */
function correctAnswer(
  protocol: VerifierProtocol,
  one: TakenStep,
  request: ReceivedRequest,
): StepResult & { readonly bearer: Bearer; readonly isRefused: boolean } {
  const now = Date.now()
  const bearer = protocol.bearerOf(request, now)
  const isRefused = BEARING.has(one.step) && bearer === 'another'
  if (isRefused) return { bearer, isRefused, reply: refusal(401, 'the token is not valid') }
  return { bearer, isRefused, ...protocol.take(one, now) }
}

/** Returns the name under which an operation is recorded. */
function nameOf(operation: VerifierScriptStep | undefined): string | undefined {
  return typeof operation?.does === 'object' ? 'an answer' : operation?.does
}
