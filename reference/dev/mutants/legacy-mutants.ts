import { agentOperations } from '../../agent/pull/operations.ts'
import { QUOTE_REPLY } from '../../agent/pull/quote-reply.ts'
import { REGISTRATION_REQUEST } from '../../agent/registration/registration-request.ts'
import type { Call, Handler } from '../../api/call.ts'
import { AGENT_ROUTES, type AgentOperation } from '../../api/routes/agent.ts'
import {
  AGENT_PARTS,
  type AgentDoor,
  type ComposedAgentParts,
} from '../../compose/compose-agent.ts'
import { ApiError } from '../../errors.ts'
import { registrarOperations } from '../../registrar/operations.ts'
import { type BootstrapRules, bootstrapRules } from '../../tenant/add/payload/bootstrap-keys.ts'
import { TENANT_PARTS } from '../../tenant/tenant-parts.ts'
import { verifierOperations } from '../../verifier/operations.ts'
import { withRules } from './agent/mutate-agent.ts'
import type { Mutant } from './evidence/list-minus-one.ts'

/** An operation that changes the requests of 2.0 before the shipped one gets them. */
function reading(shipped: Handler, change: (call: Call) => Partial<Call>): Handler {
  return (call) => shipped(call.version === '2.0' ? { ...call, ...change(call) } : call)
}

function agentReading(
  name: AgentOperation,
  change: (call: Call) => Partial<Call>,
): Mutant['parts'] {
  return {
    agentOperations: ((parts) => {
      const shipped = agentOperations(parts)
      return { ...shipped, [name]: reading(shipped[name], change) }
    }) satisfies ComposedAgentParts['agentOperations'],
  }
}

/** A member that the request of a later version does not have. */
function withoutMember({ body }: Call, member: string): Partial<Call> {
  const { [member]: _, ...rest } = Object(body)
  return { body: rest }
}

function refusing({ body }: Call, member: string): Partial<Call> {
  if (!Object.hasOwn(Object(body), member)) return {}
  throw new ApiError('malformed_request', `${member}: is unknown`)
}

function everySecond({ nameOf }: AgentDoor): AgentDoor['nameOf'] {
  let strangers = 0
  return (peer) => nameOf(peer) ?? (strangers++ % 2 === 1 ? 'any-client' : undefined)
}

function sealing(change: (payload: Uint8Array) => Uint8Array): Mutant['parts'] {
  const seal: BootstrapRules['seal'] = (k, payload, random) =>
    bootstrapRules.seal(k, change(payload), random)
  return { tenant: { ...TENANT_PARTS, bootstrap: { ...bootstrapRules, seal } } }
}

/** References that serve API 1.0 or 2.0 otherwise than the legacy listing has it. */
export const LEGACY_MUTANTS: readonly Mutant[] = [
  {
    id: 'agent.identity-not-in-2.0',
    defect: 'the identity quote begins with 2.1',
    parts: {
      agentRoutes: AGENT_ROUTES.map((route) =>
        route.operation === 'quote-identity' ? { ...route, since: '2.1' } : route,
      ),
    },
  },
  {
    id: 'agent.compressed-in-2.0',
    defect: 'the quotes of 2.0 are compressed as those of 1.0',
    parts: withRules({
      quoteReply: QUOTE_REPLY.map((member) => {
        if (member.name !== 'quote') return member
        return member.since === undefined
          ? { ...member, until: '2.0' }
          : { ...member, since: '2.1' }
      }),
    }),
  },
  {
    id: 'agent.plain-in-1.0',
    defect: 'the quotes of 1.0 are not compressed',
    parts: withRules({
      quoteReply: QUOTE_REPLY.flatMap((member) => {
        if (member.name !== 'quote') return [member]
        return member.since === undefined ? [] : [{ ...member, since: '1.0' }]
      }),
    }),
  },
  {
    id: 'agent.vmask-unknown-in-2.0',
    defect: 'a query of 2.0 with vmask is refused',
    parts: agentReading('quote-integrity', ({ query }) => {
      if (query['vmask'] === undefined) return {}
      throw new ApiError('malformed_request', 'query parameter vmask is unknown')
    }),
  },
  {
    id: 'agent.challenge-unread-in-2.0',
    defect: 'K is proved over the same challenge every time in 2.0',
    parts: agentReading('verify-key', () => ({ query: { challenge: 'A'.repeat(20) } })),
  },
  {
    id: 'agent.payload-unread-in-2.0',
    defect: 'the payload of 2.0 is not delivered',
    parts: agentReading('take-u-key', (call) => withoutMember(call, 'payload')),
  },
  {
    id: 'agent.stranger-served-at-last',
    defect: 'of the requests without a certificate every second one is served',
    parts: { agentDoor: { refusesStrangers: false, nameOf: everySecond(AGENT_PARTS.agentDoor) } },
  },
  {
    id: 'agent.registered-without-aik-in-2.0',
    defect: 'a registration of 2.0 has no AIK',
    parts: {
      registrationRequest: REGISTRATION_REQUEST.map((member) =>
        member.name === 'aik_tpm' ? { ...member, since: '2.1' } : member,
      ),
    },
  },
  {
    id: 'legacy-ek-unknown',
    defect: 'a registration of 2.0 with ek is refused',
    parts: {
      registrarOperations: (parts, served) => {
        const shipped = registrarOperations(parts, served)
        const change = (call: Call) => refusing(call, 'ek')
        return { ...shipped, 'register-agent': reading(shipped['register-agent'], change) }
      },
    },
  },
  {
    id: 'allowlist-unread',
    defect: 'the allowlist of a request of 2.0 is ignored',
    parts: {
      verifierOperations: (parts) => {
        const shipped = verifierOperations(parts)
        const change = (call: Call) => withoutMember(call, 'allowlist')
        return { ...shipped, 'add-agent': reading(shipped['add-agent'], change) }
      },
    },
  },
  {
    id: 'tenant.payload-a-byte-short',
    defect: 'the payload of an agent lacks its last byte',
    parts: sealing((payload) => payload.subarray(0, -1)),
  },
  {
    id: 'tenant.payload-of-a-kilobyte',
    defect: 'the payload of an agent ends after 1024 bytes',
    parts: sealing((payload) => payload.subarray(0, 1024)),
  },
]
