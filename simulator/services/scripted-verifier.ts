import { type Operation, operations } from './operations.ts'
import type { Answer, Exchange, Heard, Meeting, Service, ServiceOptions } from './service.ts'
import { startService } from './service.ts'
import { BEHAVIOURS, type BehaviourName, type Elsewhere, NOWHERE } from './verifier-behaviours.ts'
import {
  type Bearer,
  refusal,
  type TakenStep,
  type Told,
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

/** In place of the truth, the next times that a step is taken. */
export interface VerifierDeed extends Operation<VerifierStep> {
  /** A named behaviour, or what is answered. */
  readonly does: BehaviourName | Answer
}

/** One request that the verifier heard, with what the protocol makes of it. */
export interface VerifierExchange extends Exchange {
  /** Undefined for a request that is no step. */
  readonly step: VerifierStep | undefined
  /** The behaviour that it was answered with; undefined for the truth. */
  readonly did: string | undefined
  /** Whether it bore a token that was valid then. */
  readonly bearer: Bearer
  /** Of a session or a proof: the session. Of capabilities or evidence: the attestation. */
  readonly session?: Session | undefined
  readonly attestation?: Attestation | undefined
}

export interface VerifierOptions extends Omit<ServiceOptions, 'answer' | 'onExchange'> {
  readonly settings?: Partial<VerifierSettings>
  readonly script?: readonly VerifierDeed[]
  readonly onExchange?: ((exchange: VerifierExchange) => void) | undefined
  /** Where answers that redirect send an agent: base URLs, over TLS and in the clear. */
  readonly elsewhere?: Elsewhere
}

/**
 * The verifier that a push agent under judgement finds. It believes everything, also whoever shows no token: what is sent
 * is judged elsewhere, and an agent that does one thing wrong shows what else it does. A token that is over is refused.
 */
export interface ScriptedVerifier extends Omit<Service, 'exchanges'> {
  readonly exchanges: readonly VerifierExchange[]
  /** Only what follows is answered so; what was told before is forgotten. */
  play(next: readonly VerifierDeed[]): void
  /** Other settings from now on. */
  set(settings: Partial<VerifierSettings>): void
  /** No token that was given is valid any more. */
  forgetTokens(): void
}

const BEARING: ReadonlySet<VerifierStep> = new Set(['capabilities', 'evidence'])
const UNKNOWN = { step: undefined, did: undefined, bearer: 'none' } as const

/** What is known of a request beyond the exchange itself. */
type Known = Omit<VerifierExchange, keyof Exchange>

/** Starts it at free ports of 127.0.0.1, with TLS and without. */
export async function startVerifier(options: VerifierOptions): Promise<ScriptedVerifier> {
  const { elsewhere = NOWHERE, onExchange, script } = options
  let settings: VerifierSettings = { ...DEFAULT_SETTINGS, ...options.settings }
  const protocol = new VerifierProtocol(() => settings)
  const planned = operations<VerifierStep, VerifierDeed>(script)
  const exchanges: VerifierExchange[] = []
  const known = new Map<Heard, Known>()
  const answer = (heard: Heard): Answer => {
    const one = verifierStepOf(heard)
    if (one === undefined) {
      known.set(heard, UNKNOWN)
      return refusal(404, 'there is no such path')
    }
    const { said, isRefused, ...about } = truth(protocol, one, heard)
    const operation = isRefused ? undefined : planned.take(one.step)
    known.set(heard, { step: one.step, did: nameOf(operation), ...about })
    if (operation === undefined) return said
    if (typeof operation.does === 'object') return operation.does
    return BEHAVIOURS[operation.does].answers(said, { elsewhere, heard })
  }
  const service = await startService({
    ...options,
    answer,
    onExchange: (exchange) => {
      const about = known.get(exchange.heard)
      if (about === undefined) return
      known.delete(exchange.heard)
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

/** What the protocol makes of a step; a token that is not valid gets no further. */
function truth(
  protocol: VerifierProtocol,
  one: TakenStep,
  heard: Heard,
): Told & { readonly bearer: Bearer; readonly isRefused: boolean } {
  const now = Date.now()
  const bearer = protocol.bearerOf(heard, now)
  const isRefused = BEARING.has(one.step) && bearer === 'another'
  if (isRefused) return { bearer, isRefused, said: refusal(401, 'the token is not valid') }
  return { bearer, isRefused, ...protocol.take(one, now) }
}

/** A deed as it is called afterwards. */
function nameOf(operation: VerifierDeed | undefined): string | undefined {
  return typeof operation?.does === 'object' ? 'an answer' : operation?.does
}
