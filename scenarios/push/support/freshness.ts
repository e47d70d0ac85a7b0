import type { Reply } from '../../../conformance/attempt/reply.ts'
import { collectEvidence, type Negotiation } from '../../../conformance/client/agents/evidence.ts'
import { expectSuccess } from '../../../conformance/client/agents/expect-success.ts'
import type { PushAgent } from '../../../conformance/client/agents/push-agent.ts'
import { readSession } from '../../../conformance/client/agents/session-proof.ts'
import type { VerifierClient } from '../../../conformance/client/verifier-client.ts'
import type { AttestingMachine } from '../../../simulator/machine/unbooted-machine.ts'

type Agent = PushAgent<AttestingMachine>

/** Two agents with the same keys; the first one answers. */
interface Pair {
  readonly agent: Agent
  readonly other: Agent
  readonly verifier: VerifierClient
}

/** An answer over another challenge, or for another attestation. */
export interface StaleRow {
  readonly id: string
  answer(pair: Pair): Promise<{ readonly negotiation: Negotiation; readonly reply: Reply }>
}

/** Answers the next attestation with a quote over something else. */
function over(
  id: string,
  nonceOf: (own: Negotiation, pair: Pair) => Promise<Uint8Array> | Uint8Array,
): StaleRow {
  return {
    id,
    async answer(pair) {
      const negotiation = await pair.agent.negotiate()
      const challenge = await nonceOf(negotiation, pair)
      return { negotiation, reply: await pair.agent.submit(negotiation, { challenge }) }
    },
  }
}

/** Answers the next attestation with the whole body of another one. */
function sentFor(id: string, earlier: (pair: Pair) => Promise<Negotiation>): StaleRow {
  return {
    id,
    async answer(pair) {
      const { agent, verifier } = pair
      const body = await collectEvidence(agent.machine, await earlier(pair), {}, verifier.dialect)
      const negotiation = await agent.negotiate()
      const params = { agent_id: agent.id, index: negotiation.index }
      return {
        negotiation,
        reply: await verifier.call('submit', { as: agent.credentials, params, body }),
      }
    },
  }
}

/** Evidence that passed, sent again unchanged. */
const REPLAYED: StaleRow = {
  id: 'evidence that passed before',
  async answer({ agent, verifier }) {
    const passed = await agent.negotiate()
    const body = await collectEvidence(agent.machine, passed, {}, verifier.dialect)
    const send = (index: string) =>
      verifier.call('submit', {
        as: agent.credentials,
        params: { agent_id: agent.id, index },
        body,
      })
    expectSuccess('the evidence PATCH', await send(passed.index))
    await agent.verdict(passed)
    const negotiation = await agent.negotiate()
    return { negotiation, reply: await send(negotiation.index) }
  },
}

/** Every answer that must not satisfy a challenge. */
export const STALE: readonly StaleRow[] = [
  REPLAYED,
  sentFor('evidence for an older attestation', ({ agent }) => agent.negotiate()),
  sentFor('evidence for another agent with the same key', ({ other }) => other.negotiate()),
  {
    id: 'the challenge of an older attestation',
    async answer({ agent }) {
      const { challenge } = await agent.negotiate()
      const negotiation = await agent.negotiate()
      return { negotiation, reply: await agent.submit(negotiation, { challenge }) }
    },
  },
  over(
    'the challenge of another agent',
    async (_, { other }) => (await other.negotiate()).challenge,
  ),
  over('the challenge of a session', async (_, { agent, verifier }) => {
    return readSession(await agent.openSession(), verifier.dialect).challenge
  }),
  over('nothing', () => new Uint8Array()),
  over('zeros', ({ challenge }) => new Uint8Array(challenge.length)),
  over('the challenge less a byte', ({ challenge }) => challenge.subarray(0, -1)),
  over('the challenge and a byte', ({ challenge }) => Uint8Array.of(...challenge, 0)),
  over('a byte and the challenge', ({ challenge }) => Uint8Array.of(0, ...challenge)),
  over('the challenge twice', ({ challenge }) => Uint8Array.of(...challenge, ...challenge)),
  over('the first eight bytes of the challenge', ({ challenge }) => challenge.subarray(0, 8)),
  over('the first eight bytes of the challenge and others', ({ challenge }) =>
    challenge.map((byte, at) => (at < 8 ? byte : byte ^ 0xff)),
  ),
  over('other bytes and the last eight of the challenge', ({ challenge }) =>
    challenge.map((byte, at) => (at < challenge.length - 8 ? byte ^ 0xff : byte)),
  ),
  over('the challenge backwards', ({ challenge }) => challenge.toReversed()),
  over('the challenge with a bit turned', ({ challenge }) =>
    challenge.with(0, (challenge[0] ?? 0) ^ 1),
  ),
]
