import { type Attester, openAttester } from '../../../agent/attester/attester.ts'
import type { Quoted } from '../../../agent/attester/quote-pcrs.ts'
import type { PullAgentParts } from '../../../agent/pull/agent-parts.ts'
import { type AgentRules, agentRules } from '../../../agent/pull/agent-rules.ts'
import { agentOperations } from '../../../agent/pull/operations.ts'
import type { ReplyShape } from '../../../api/reply-shape.ts'
import type { ComposedAgentParts } from '../../../compose/compose-agent.ts'
import type { Mutant } from '../evidence/list-minus-one.ts'

type Shape<Source> = ReplyShape<Source>

/** A shape with another value for a member, or without it. */
export function withMember<Source>(
  shape: Shape<Source>,
  name: string,
  of: ((source: Source, was: unknown) => unknown) | undefined,
): Shape<Source> {
  return shape.flatMap((member) => {
    if (member.name !== name) return [member]
    return of === undefined ? [] : [{ ...member, of: (source) => of(source, member.of(source)) }]
  })
}

/** A member begins with a later version, or with an earlier one. */
export function ranged<Source>(
  shape: Shape<Source>,
  name: string,
  last: '2.3' | '2.6',
): Shape<Source> {
  const next = last === '2.3' ? '2.4' : '2.6'
  return shape.map((member) => {
    if (member.name !== name) return member
    return member.since === undefined ? { ...member, until: last } : { ...member, since: next }
  })
}

export const withRules = (change: Partial<AgentRules>) => ({
  agentRules: { ...agentRules, ...change },
})

/** The operations of an agent with other parts. */
export const standingOn = (change: (parts: PullAgentParts) => Partial<PullAgentParts>) => ({
  agentOperations: ((parts) =>
    agentOperations({
      ...parts,
      ...change(parts),
    })) satisfies ComposedAgentParts['agentOperations'],
})

type Quote = Attester['quote']

/** An agent with a mutated quote operation. */
export function quoting(mutate: (quote: Quote) => Quote): Mutant['parts'] {
  return {
    openAttester: async (tpm, settings) => {
      const attester = await openAttester(tpm, settings)
      return { ...attester, quote: mutate(attester.quote) }
    },
  }
}

export const mutatedQuote = (mutate: (quoted: Quoted) => Quoted) =>
  quoting((quote) => async (request) => mutate(await quote(request)))

export function flipped(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte, at) => (at === bytes.length - 1 ? byte ^ 1 : byte))
}

/** Returns the first result for each key on every later call. */
export function remembered<Key, T>(make: (key: Key) => T): (key: Key) => T {
  const made = new Map<string, T>()
  return (key) => {
    const name = JSON.stringify(key, (_, value) =>
      value instanceof Uint8Array ? [...value] : value,
    )
    const value = made.get(name) ?? make(key)
    made.set(name, value)
    return value
  }
}
