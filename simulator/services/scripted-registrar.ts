import { type Operation, operations } from './operations.ts'
import {
  envelope,
  type RegistrarStep,
  RegistrarTruth,
  type Registration,
  registrarStepOf,
  type TakenStep,
  type TruthOptions,
} from './registrar-truth.ts'
import {
  type Answer,
  type Exchange,
  type Heard,
  type Service,
  type ServiceOptions,
  startService,
} from './service.ts'
import { BEHAVIOURS, type BehaviourName, type Elsewhere, NOWHERE } from './verifier-behaviours.ts'

/** What is answered in place of the truth, the next times that a step is taken: an answer, or the truth bent. */
export interface Misbehaviour extends Operation<RegistrarStep> {
  readonly answer: Answer | BehaviourName
}

export interface RegistrarOptions
  extends TruthOptions,
    Omit<ServiceOptions, 'answer' | 'onExchange'> {
  readonly onExchange?: ((exchange: RegistrarExchange) => void) | undefined
  /** Where answers that redirect send an agent. */
  readonly elsewhere?: Elsewhere
}

/** One request that the registrar heard, and the name of its misbehaviour; `an answer` where it has none. */
export interface RegistrarExchange extends Exchange {
  readonly did: string | undefined
}

export interface ScriptedRegistrar extends Service {
  registrationOf(agentId: string): Registration | undefined
  /** Only what follows is answered so; what was told before is forgotten. */
  misbehave(next: readonly Misbehaviour[]): void
}

/** The registrar that an agent under judgement finds: it seals real challenges, and can be told to misbehave. */
export async function startRegistrar(options: RegistrarOptions): Promise<ScriptedRegistrar> {
  const { elsewhere = NOWHERE, onExchange } = options
  const truth = new RegistrarTruth(options)
  const faults = operations<RegistrarStep, Misbehaviour>()
  const did = new WeakMap<Heard, string>()
  const misbehave = ({ answer }: Misbehaviour, step: TakenStep, heard: Heard): Answer => {
    did.set(heard, typeof answer === 'string' ? answer : 'an answer')
    // What is cut off is not heard.
    if (typeof answer === 'object' || answer === 'reset') return answer
    return BEHAVIOURS[answer].answers(truth.answer(step, heard), { elsewhere, heard })
  }
  const answer = (heard: Heard): Answer => {
    const step = registrarStepOf(heard)
    if (step === undefined) return envelope(404, 'there is no such path')
    const fault = faults.take(step.name)
    return fault === undefined ? truth.answer(step, heard) : misbehave(fault, step, heard)
  }
  const service = await startService({
    ...options,
    answer,
    onExchange: (exchange) => onExchange?.({ ...exchange, did: did.get(exchange.heard) }),
  })
  return Object.assign(service, {
    registrationOf: (agentId: string) => truth.registrationOf(agentId),
    misbehave: faults.play,
  })
}
