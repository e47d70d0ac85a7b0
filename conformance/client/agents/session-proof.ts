import type { AttestingMachine } from '../../../simulator/machine/unbooted-machine.ts'
import { show, showMember } from '../../attempt/check.ts'
import { PrerequisiteFailed } from '../../attempt/endings.ts'
import { attributes, type Reply } from '../../attempt/reply.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { base64 } from '../bytes.ts'
import type { CallOptions } from '../component-client.ts'
import { challengeBytes, signable } from './evidence.ts'
import { type MutateAttest, withMutatedAttest } from './with-mutated-attest.ts'

/** The attributes of a session request. */
type SessionAttributes = Readonly<Record<string, unknown>>

export interface OpeningDefect {
  /** Edits the attributes of the request, which then skips the harness's schema check. */
  readonly attributes?: (attributes: SessionAttributes) => SessionAttributes
}

/** A proof, ready to send. */
export interface SessionProof {
  readonly sessionId: string
  readonly body: unknown
  /** Whether the request skips the harness's schema check. */
  readonly mutated: boolean
}

export interface ProofDefect extends OpeningDefect {
  /** Id of the session in the request; the proof is still made for its own session. */
  readonly sessionId?: string
  /** qualifyingData of the certification, instead of the challenge. */
  readonly challenge?: Uint8Array
  /** Handles of the certified key and of the signing key. */
  readonly object?: number
  readonly signer?: number
  /** A quote instead of the certification. */
  readonly attestation?: 'quote'
  /** Mutates the attestation before it is signed. Needs a machine with soft keys. */
  readonly attest?: MutateAttest
  readonly signature?: (signature: Uint8Array) => Uint8Array
}

const METHOD = { authentication_class: 'pop', authentication_type: 'tpm_pop' }
const MUTATED = 'the attributes of the request are mutated'

/** The request that opens a session. */
export function openingCall(agentId: string, { attributes: mutate }: OpeningDefect): CallOptions {
  const right = { agent_id: agentId, authentication_supported: [METHOD] }
  if (mutate === undefined) return { body: sessionDocument(right) }
  return { body: sessionDocument(mutate(right)), defect: MUTATED }
}

/** Makes the proof of possession for the challenge of a session. */
export async function makeProof(
  { machine, agentId, dialect }: { machine: AttestingMachine; agentId: string; dialect: Dialect },
  session: Reply,
  proof: ProofDefect,
): Promise<SessionProof> {
  const { id, challenge } = readSession(session, dialect)
  const { attributes: mutate, sessionId = id } = proof
  const data = await prove(machine, challenge, proof)
  const right = { agent_id: agentId, authentication_provided: [{ ...METHOD, data }] }
  const body = sessionDocument(mutate === undefined ? right : mutate(right), id)
  return { sessionId, body, mutated: mutate !== undefined }
}

/** The request that completes a session. */
export function proofCall({ sessionId, body, mutated }: SessionProof): CallOptions {
  return { params: { session_id: sessionId }, body, ...(mutated ? { defect: MUTATED } : {}) }
}

function sessionDocument(attributes: SessionAttributes, id?: string): unknown {
  return { data: { type: 'session', ...(id === undefined ? {} : { id }), attributes } }
}

/** Id and challenge of a session that was opened. @throws {PrerequisiteFailed} if it lacks one of them */
export function readSession(
  session: Reply,
  dialect: Dialect,
): { id: string; challenge: Uint8Array } {
  const id = (session.body as { data?: { id?: unknown } } | undefined)?.data?.id
  const challenge = attributes(
    session,
    'authentication_requested',
    0,
    'chosen_parameters',
    'challenge',
  )
  if (typeof id === 'string' && typeof challenge === 'string')
    return { id, challenge: signable(challengeBytes(challenge, dialect), 'SES-CHALLENGE') }
  throw new PrerequisiteFailed({
    ...{ requirement: 'SES-CHALLENGE', what: 'id and challenge of a new session' },
    ...{ expected: 'two strings', received: `${showMember(id, session)} and ${show(challenge)}` },
  })
}

async function prove(
  machine: AttestingMachine,
  challenge: Uint8Array,
  proof: ProofDefect,
): Promise<unknown> {
  const qualifyingData = proof.challenge ?? challenge
  const { object, signer, signature: mutateSignature = (bytes) => bytes } = proof
  const { message, signature } = await withMutatedAttest(machine, proof.attest, () =>
    proof.attestation === 'quote'
      ? machine.quote({ qualifyingData, bank: 'sha256', pcrs: [10] })
      : machine.certify({
          qualifyingData,
          ...(object === undefined ? {} : { object }),
          ...(signer === undefined ? {} : { signer }),
        }),
  )
  return { message: base64(message), signature: base64(mutateSignature(signature)) }
}
