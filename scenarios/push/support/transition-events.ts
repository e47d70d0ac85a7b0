import { attributes, type Reply } from '../../../conformance/attempt/reply.ts'
import { collectEvidence, type Negotiation } from '../../../conformance/client/agents/evidence.ts'
import type { PushAgent } from '../../../conformance/client/agents/push-agent.ts'
import type { VerifierClient } from '../../../conformance/client/verifier-client.ts'
import type { Context } from '../../../conformance/scenario.ts'
import type { AttestingMachine } from '../../../simulator/machine/unbooted-machine.ts'
import type { EventName, StateName } from './load-transitions.ts'

/** An agent whose attestation is in a given state. */
export interface Situation {
  readonly agent: PushAgent<AttestingMachine>
  readonly verifier: VerifierClient
  /** The attestation; undefined if there is none. */
  readonly negotiation: Negotiation | undefined
}

/** Brings an attestation into a state. */
const ARRANGED: Readonly<
  Record<StateName, (agent: Situation['agent']) => Promise<Negotiation | undefined>>
> = {
  nothing: () => Promise.resolve(undefined),
  awaiting: (agent) => agent.negotiate(),
  superseded: (agent) => beforeAnother(agent, agent.negotiate()),
  passed: evaluated,
  failed: async (agent) => {
    const negotiation = await agent.negotiate()
    await agent.submit(negotiation, { challenge: new Uint8Array(16) })
    await agent.verdict(negotiation)
    return negotiation
  },
  'judged before another': (agent) => beforeAnother(agent, evaluated(agent)),
}

async function evaluated(agent: Situation['agent']): Promise<Negotiation> {
  const negotiation = await agent.negotiate()
  await agent.submit(negotiation)
  await agent.verdict(negotiation)
  return negotiation
}

async function beforeAnother(
  agent: Situation['agent'],
  first: Promise<Negotiation>,
): Promise<Negotiation> {
  const negotiation = await first
  await agent.negotiate()
  return negotiation
}

/** Creates an agent whose attestation is in that state. */
export async function arrange(
  { machines, verifier }: Context,
  state: StateName,
): Promise<Situation> {
  const agent = await machines.softAgent()
  return { agent, verifier, negotiation: await ARRANGED[state](agent) }
}

/** Reads the attestation as an administrator; undefined if there is none. */
export function readSubject({
  agent,
  verifier,
  negotiation,
}: Situation): Promise<Reply | undefined> {
  return negotiation === undefined
    ? Promise.resolve(undefined)
    : verifier.attestation(agent.id, negotiation.index)
}

type Send = (situation: Situation) => Promise<Reply>

const EMPTY = { data: { type: 'attestation', attributes: {} } }

const VERDICT = ['stage', 'evaluation', 'failure_reason']
const TIMES = [
  ...['capabilities_received_at', 'challenges_expire_at'],
  ...['evidence_received_at', 'verification_completed_at'],
]

/** In place of the quote, if nothing else was requested. */
const UNREQUESTED = { evidence_class: 'log', evidence_type: 'uefi_log', chosen_parameters: {} }

/** Sends each event. */
export const SENT: Readonly<Record<EventName, Send>> = {
  capabilities: ({ agent, verifier }) => verifier.patiently(() => agent.offer(agent.credentials)),
  'capabilities without an offer': ({ agent, verifier }) =>
    verifier.call('negotiate', {
      as: agent.credentials,
      params: { agent_id: agent.id },
      body: EMPTY,
      defect: 'capabilities without an offer',
    }),
  'evidence to latest': (situation) => submit(situation, 'latest'),
  'evidence to the index': (situation) => submit(situation, indexOf(situation)),
  'evidence to the next index': (situation) => submit(situation, next(situation)),
  'evidence without items': (situation) =>
    patch(situation, indexOf(situation), EMPTY, 'evidence without items'),
  'evidence of another type': async (situation) => {
    const negotiation = await wanted(situation)
    const { requested } = negotiation
    const others = requested.length > 1 ? requested.toReversed() : [UNREQUESTED]
    const body = await collected(situation, { ...negotiation, requested: others })
    return patch(situation, indexOf(situation), body, 'other items than were requested')
  },
  'read of latest': ({ agent, verifier }) => verifier.attestation(agent.id, 'latest'),
  'read of the index': (situation) => read(situation, indexOf(situation)),
  'read of the next index': (situation) => read(situation, next(situation)),
  list: ({ agent, verifier }) =>
    verifier.call('list-attestations', { params: { agent_id: agent.id }, as: verifier.admin }),
}

function read({ agent, verifier }: Situation, index: string): Promise<Reply> {
  return verifier.attestation(agent.id, index)
}

function indexOf({ negotiation }: Situation): string {
  return negotiation?.index ?? '0'
}

function next(situation: Situation): string {
  return String(Number(indexOf(situation)) + 1)
}

/** Returns the requested evidence types; a quote if nothing was requested. */
async function wanted({ negotiation, agent, verifier }: Situation): Promise<Negotiation> {
  if (negotiation !== undefined) return negotiation
  const bank = 'sha256'
  const selected = verifier.dialect['available-subjects'] === 'list' ? [10] : { [bank]: [10] }
  const chosen_parameters = { hash_algorithm: bank, selected_subjects: selected }
  return {
    reply: await verifier.attestation(agent.id, 'latest'),
    index: '0',
    challenge: new Uint8Array(16),
    requested: [{ evidence_class: 'certification', evidence_type: 'tpm_quote', chosen_parameters }],
  }
}

function collected({ agent, verifier }: Situation, negotiation: Negotiation): Promise<unknown> {
  return collectEvidence(agent.machine, negotiation, {}, verifier.dialect)
}

async function submit(situation: Situation, index: string): Promise<Reply> {
  return patch(situation, index, await collected(situation, await wanted(situation)))
}

function patch(
  { agent, verifier }: Situation,
  index: string,
  body: unknown,
  defect?: string,
): Promise<Reply> {
  const params = { agent_id: agent.id, index }
  const odd = defect === undefined ? {} : { defect }
  return verifier.call('submit', { as: agent.credentials, params, body, ...odd })
}

/** Returns stage, verdict and times of an attestation for comparison. */
export function verdictOf(reply: Reply | undefined): unknown {
  if (reply === undefined) return undefined
  return [...VERDICT, ...TIMES].map((name) => attributes(reply, name) ?? null)
}
