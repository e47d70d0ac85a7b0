import { attributes } from '../../../conformance/attempt/reply.ts'
import { collectEvidence } from '../../../conformance/client/agents/evidence.ts'
import { expectSuccess } from '../../../conformance/client/agents/expect-success.ts'
import { type Action, type Attempt, presence, type Stage } from './action.ts'

const createSession: Action = async ({ agent }) => ({
  agent,
  send: (as) => agent.openSession({}, as),
})

/** A session takes one answer, so each attempt opens its own. */
async function completeSession({ agent }: Stage): Promise<Attempt> {
  const session = expectSuccess('opening a session', await agent.openSession())
  const proof = await agent.makeProof(session)
  return { agent, once: true, reads: true, send: (as) => agent.sendProof(proof, as) }
}

async function negotiate({ context, newAgent }: Stage): Promise<Attempt> {
  const agent = await newAgent()
  const { verifier } = context
  const request = { params: { agent_id: agent.id }, body: agent.capabilities() }
  return {
    agent,
    once: true,
    send: (as) => verifier.call('negotiate', { ...request, as }),
    look: async () => ({
      what: 'an attestation of the agent',
      received: presence(await verifier.attestation(agent.id, 'latest')),
      expected: 'not there',
    }),
  }
}

/** Sends valid evidence to the path with the index or to `latest`. */
function submit(path: 'index' | 'latest'): Action {
  return async ({ context, newAgent }) => {
    const agent = await newAgent({ loggedIn: true })
    const { verifier } = context
    const negotiation = await agent.negotiate()
    const index = path === 'latest' ? path : negotiation.index
    const body = await collectEvidence(agent.machine, negotiation, {}, verifier.dialect)
    const request = { params: { agent_id: agent.id, index }, body }
    return {
      agent,
      once: true,
      send: (as) => verifier.call('submit', { ...request, as }),
      look: async () => ({
        what: 'stage of the attestation',
        received: attributes(await verifier.attestation(agent.id, negotiation.index), 'stage'),
        expected: 'awaiting_evidence',
      }),
    }
  }
}

/** Reads the attestations of an agent that has one. */
function read(path: 'list' | 'index' | 'latest'): Action {
  return async ({ context, newAgent }) => {
    const agent = await newAgent({ loggedIn: true })
    const { verifier } = context
    const negotiation = await agent.negotiate()
    const index = path === 'latest' ? path : negotiation.index
    const params = { agent_id: agent.id, index }
    const operation = path === 'list' ? 'list-attestations' : 'read-attestation'
    return { agent, reads: true, send: (as) => verifier.call(operation, { params, as }) }
  }
}

/** The verifier operations of API 3.0, by their names in the matrix. */
export const ATTESTATION_ACTIONS: Readonly<Record<string, Action>> = {
  'create-session': createSession,
  'complete-session': completeSession,
  negotiate,
  submit: submit('index'),
  'submit-latest': submit('latest'),
  'list-attestations': read('list'),
  'read-attestation': read('index'),
  'read-latest': read('latest'),
}
