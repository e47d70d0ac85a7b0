import { decodedPart } from '../agents/request-line.ts'
import { beginAttestation, listIn, member } from './choose-evidence.ts'
import type { ReceivedRequest, ServedReply } from './service.ts'
import {
  type Attestation,
  type Attributes,
  openSession,
  passSession,
  type Session,
  type Token,
  timestamp,
  type VerifierSettings,
} from './verifier-truth.ts'

/** A step of the push protocol. */
const VERIFIER_STEPS = ['session', 'proof', 'capabilities', 'evidence'] as const
export type VerifierStep = (typeof VERIFIER_STEPS)[number]

const PATHS: readonly (readonly [VerifierStep, string, RegExp])[] = [
  ['session', 'POST', /^(\/v3(?:\.0)?)\/sessions\/?$/],
  ['proof', 'PATCH', /^(\/v3(?:\.0)?)\/sessions\/([^/]+)\/?$/],
  ['capabilities', 'POST', /^(\/v3(?:\.0)?)\/agents\/([^/]+)\/attestations\/?$/],
  ['evidence', 'PATCH', /^(\/v3(?:\.0)?)\/agents\/([^/]+)\/attestations\/(latest|\d+)\/?$/],
]

/** A parsed request of one step of the protocol. */
export interface TakenStep {
  readonly step: VerifierStep
  /** `/v3.0`, as the request has it. */
  readonly prefix: string
  /** Id of a session or an agent; empty if the path has none. */
  readonly id: string
  readonly attributes: Attributes
}

/** Returns the step of a request; undefined for any other request. */
export function verifierStepOf({ method, url, json }: ReceivedRequest): TakenStep | undefined {
  for (const [step, verb, path] of PATHS) {
    const found = path.exec(url)
    if (verb !== method || found === null) continue
    const attributes = (member(member(json, 'data'), 'attributes') ?? {}) as Attributes
    return { step, prefix: found[1] ?? '', id: decodedPart(found[2] ?? ''), attributes }
  }
  return undefined
}

/** An answer, and its subject. */
export interface StepResult {
  readonly reply: ServedReply
  readonly session?: Session
  readonly attestation?: Attestation
}

/** Whether a request carried a token that was valid at that time. */
export type Bearer = 'valid' | 'another' | 'none'

export function refusal(status: number, detail: string): ServedReply {
  return { status, body: { errors: [{ status: String(status), detail }] } }
}

/** Sessions, tokens and attestations of one verifier. */
export class VerifierProtocol {
  readonly #settings: () => VerifierSettings
  readonly #sessions = new Map<string, Session>()
  readonly #tokens = new Map<string, Token>()
  readonly #latest = new Map<string, Attestation>()
  readonly #shown = new Map<string, { readonly boot: string; readonly offset: number }>()
  readonly #steps: Readonly<Record<VerifierStep, (one: TakenStep, now: number) => StepResult>> = {
    session: (one, now) => this.#open(one, now),
    proof: (one, now) => this.#prove(one, now),
    capabilities: (one, now) => this.#begin(one, now),
    evidence: (one, now) => this.#receive(one, now),
  }

  /** The settings are read at every step. */
  constructor(settings: () => VerifierSettings) {
    this.#settings = settings
  }

  /** Processes a step; `now` in milliseconds. */
  take(one: TakenStep, now: number): StepResult {
    return this.#steps[one.step](one, now)
  }

  bearerOf({ headers: { authorization } }: ReceivedRequest, now: number): Bearer {
    if (authorization === undefined) return 'none'
    const token = this.#tokens.get(authorization.replace(/^\S+ +/, ''))
    return token !== undefined && token.expiresAt > now ? 'valid' : 'another'
  }

  forgetTokens(): void {
    this.#tokens.clear()
  }

  #open({ attributes }: TakenStep, now: number): StepResult {
    const { session, reply } = openSession(String(attributes['agent_id']), now, this.#settings())
    this.#sessions.set(session.id, session)
    return { reply, session }
  }

  #prove({ id, attributes }: TakenStep, now: number): StepResult {
    const session = this.#sessions.get(id)
    if (session === undefined) return { reply: refusal(404, 'unknown session') }
    const proof = attributes['authentication_provided']
    const { token, reply } = passSession(session, proof, now, this.#settings())
    this.#tokens.set(token.text, token)
    this.#sessions.delete(id)
    return { reply, session }
  }

  #begin({ id: agentId, prefix, attributes: offered }: TakenStep, now: number): StepResult {
    const index = (this.#latest.get(agentId)?.index ?? this.#settings().firstIndex - 1) + 1
    const offset = this.#offsetOf(agentId, bootOf(offered['system_info']))
    const about = { agentId, index, offset, offered, prefix, now }
    const { attestation, reply } = beginAttestation(about, this.#settings())
    this.#latest.set(agentId, attestation)
    return { reply, attestation }
  }

  #receive({ id: agentId, attributes }: TakenStep, now: number): StepResult {
    const attestation = this.#latest.get(agentId)
    if (attestation === undefined) return { reply: refusal(404, 'no attestation of this agent') }
    const boot = bootOf(attestation.systemInfo)
    const offset = this.#offsetOf(agentId, boot) + entriesIn(attributes['evidence_collected'])
    this.#shown.set(agentId, { boot, offset })
    return { reply: acceptance(attestation, now, this.#settings()), attestation }
  }

  /** Returns the number of list entries of this boot that need not be sent again. */
  #offsetOf(agentId: string, boot: string): number {
    const known = this.#shown.get(agentId)
    return known?.boot === boot && !this.#settings().wholeLists ? known.offset : 0
  }
}

function bootOf(systemInfo: unknown): string {
  return String(member(systemInfo, 'boot_time'))
}

/** Returns the number of measurement list entries in evidence. */
function entriesIn(evidence: unknown): number {
  const list = listIn(evidence).find((one) => member(one, 'evidence_type') === 'ima_log')
  return Number(member(member(list, 'data'), 'entry_count')) || 0
}

function acceptance({ index }: Attestation, now: number, settings: VerifierSettings): ServedReply {
  const { secondsToNext } = settings
  const attributes = {
    stage: 'evaluating_evidence',
    evidence_received_at: timestamp(now, settings),
  }
  const data = { type: 'attestation', id: String(index), attributes }
  const meta = secondsToNext === undefined ? {} : { seconds_to_next_attestation: secondsToNext }
  return { status: 202, body: { data, meta } }
}
