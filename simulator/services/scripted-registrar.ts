import { type Operation, operations } from './operations.ts'
import {
  envelope,
  type RegistrarSettings,
  type RegistrarStep,
  RegistrarTruth,
  type Registration,
  registrarStepOf,
  type TakenStep,
} from './registrar-truth.ts'
import {
  type Answer,
  type Exchange,
  type ReceivedRequest,
  type Service,
  type ServiceOptions,
  startService,
} from './service.ts'
import { BEHAVIOURS, type BehaviourName, type Elsewhere, NOWHERE } from './verifier-behaviours.ts'

/** A scripted answer to the next requests of one step: a fixed answer, or a mutation of the correct one. */
export interface Misbehaviour extends Operation<RegistrarStep> {
  readonly answer: Answer | BehaviourName
}

interface RegistrarOptions
  extends RegistrarSettings,
    Omit<ServiceOptions, 'answer' | 'onExchange'> {
  readonly onExchange?: ((exchange: RegistrarExchange) => void) | undefined
  /** Target of redirects. */
  readonly elsewhere?: Elsewhere
}

/** A request to the registrar, and the name of its misbehaviour; `an answer` if it has no name. */
export interface RegistrarExchange extends Exchange {
  readonly did: string | undefined
}

export interface ScriptedRegistrar extends Service {
  registrationOf(agentId: string): Registration | undefined
  /** Replaces the scripted answers. */
  misbehave(next: readonly Misbehaviour[]): void
}

/** The registrar for an agent under test: it seals real challenges and can misbehave as scripted. */
export async function startRegistrar(options: RegistrarOptions): Promise<ScriptedRegistrar> {
  const { elsewhere = NOWHERE, onExchange } = options
  const registrations = new RegistrarTruth(options)
  const faults = operations<RegistrarStep, Misbehaviour>()
  const did = new WeakMap<ReceivedRequest, string>()
  const misbehave = (
    { answer }: Misbehaviour,
    step: TakenStep,
    request: ReceivedRequest,
  ): Answer => {
    did.set(request, typeof answer === 'string' ? answer : 'an answer')
    // A request whose connection is cut is not processed.
    if (typeof answer === 'object' || answer === 'reset') return answer
    return BEHAVIOURS[answer].answers(registrations.answer(step, request), { elsewhere, request })
  }
  const answer = (request: ReceivedRequest): Answer => {
    const step = registrarStepOf(request)
    if (step === undefined) return envelope(404, 'unknown path')
    const fault = faults.take(step.name)
    return fault === undefined
      ? registrations.answer(step, request)
      : misbehave(fault, step, request)
  }
  const service = await startService({
    ...options,
    answer,
    onExchange: (exchange) => onExchange?.({ ...exchange, did: did.get(exchange.request) }),
  })
  return Object.assign(service, {
    registrationOf: (agentId: string) => registrations.registrationOf(agentId),
    misbehave: faults.play,
  })
}

/** The last request that a registrar refused, and why, in a sentence; undefined if it refused none. */
export function lastRefusal({
  exchanges,
}: Pick<ScriptedRegistrar, 'exchanges'>): string | undefined {
  const refused = exchanges.findLast(({ answer }) => answer !== 'reset' && answer.status >= 400)
  if (refused === undefined || refused.answer === 'reset') return undefined
  const { request, answer } = refused
  const why = Object(answer.body).status ?? 'without a reason'
  return `the registrar refused ${request.method} ${request.url} with ${answer.status}: ${why}`
}
