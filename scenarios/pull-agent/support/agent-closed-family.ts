import { presentReply, type Reply } from '../../../conformance/attempt/reply.ts'
import { certificateMaker } from '../../../conformance/client/certificate-maker.ts'
import {
  freshNonce,
  giveKeys,
  goodCall,
  proveKey,
  publicKeyOf,
  ukeyBody,
  vkeyBody,
} from '../../../conformance/peers/agent-operations.ts'
import { AGENT_ROUTES, type AgentOperation } from '../../../conformance/peers/agent-routes.ts'
import { makeBootstrapKeys } from '../../../conformance/peers/bootstrap-keys.ts'
import type { AgentCall, PullAgent } from '../../../conformance/peers/pull-agent.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import type { CertificateKind } from '../../../simulator/x509/recipes.ts'

interface Stranger {
  readonly id: string
  readonly says: string
  readonly kind: CertificateKind
  readonly requirement: (key: string) => string
  /** Tested for this operation only. */
  readonly of?: AgentOperation
}

const STRANGERS: readonly Stranger[] = [
  {
    id: 'anonymous',
    says: 'without a certificate',
    kind: 'none',
    requirement: (key) => `AGT-${key}-ANONYMOUS`,
  },
  {
    id: 'other-ca',
    says: 'with a certificate of another authority',
    kind: 'other-authority',
    requirement: (key) => `AGT-${key}-OTHER-CA`,
  },
  {
    id: 'namesake-ca',
    says: 'with a certificate of an authority of the same name',
    kind: 'namesake-authority',
    requirement: (key) => `AGT-${key}-OTHER-CA`,
    of: 'ukey',
  },
  {
    id: 'client-ca',
    says: 'with a certificate that another client of the authority issued',
    kind: 'client-sent',
    requirement: (key) => `AGT-${key}-OTHER-CA`,
    of: 'integrity',
  },
  {
    id: 'expired',
    says: 'with a certificate that has expired',
    kind: 'expired',
    requirement: () => 'AGT-CLIENT-EXPIRED',
    of: 'ukey',
  },
  {
    id: 'server-only',
    says: 'with a certificate of the authority that is for servers alone',
    kind: 'server-only',
    requirement: () => 'AGT-CLIENT-SERVER-CERTIFICATE',
    of: 'ukey',
  },
  {
    id: 'self-signed',
    says: 'with a self-signed certificate',
    kind: 'self-signed',
    requirement: () => 'AGT-CLIENT-OWN',
    of: 'ukey',
  },
]

/** Certificates of other authorities whose own certificate is sent too, for an operation each. */
const SENT: Partial<Record<AgentOperation, CertificateKind>> = {
  vkey: 'other-root-sent',
  verify: 'other-authority-sent',
}

/** Operations that the document may be read to leave open. */
const MAY_BE_OPEN: ReadonlySet<AgentOperation> = new Set(['pubkey', 'identity'])

/** Returns one scenario for each operation and each client without a certificate of the server components' CA. */
export function agentClosedFamily(place: string, twin: string): readonly Scenario[] {
  return AGENT_ROUTES.flatMap(({ operation, key }) =>
    STRANGERS.filter(({ of = operation }) => of === operation).map(
      ({ id, says, kind, requirement }): Scenario => ({
        id: `${place}.${operation}-${id}`,
        title: `A pull agent does not serve ${operation} to a client ${says}`,
        requirements: [requirement(key)],
        role: 'pull_agent',
        since: operation === 'info' ? '2.2' : '2.1',
        until: '2.5',
        variantOf: `${twin}.${operation}`,
        async run({ pullAgents, random, check, observe }) {
          const agent = await pullAgents.shared()
          const { call, isUsed } = await wantedCall(agent, operation, random)
          const stranger = await strangerOf(pullAgents.authority, kindFor(operation, kind))
          const reply = await agent.call(operation, { ...call, as: stranger }) // the defect
          const open = MAY_BE_OPEN.has(operation) && id !== 'expired'
          const received = check(requirement(key), `${operation} ${says}`).of(reply)
          if (open) received.meets({ closed: isClosed, open: ({ status }) => status === 200 })
          else received.matches(REFUSED, isClosed)
          if (isUsed)
            check(requirement(key), 'whether the agent derives K of that key')
              .of(await isUsed())
              .is(false)
          if (open) observe('AGENTOPEN', `${operation} ${says}`, presentReply(reply))
        },
      }),
    ),
  )
}

/** A call that is good from an administrator. For a half of K, `isUsed` tells whether the agent joins it with the other one. */
async function wantedCall(
  agent: PullAgent,
  operation: AgentOperation,
  random: Context['random'],
): Promise<{ readonly call: AgentCall; readonly isUsed?: () => Promise<boolean> }> {
  if (operation !== 'ukey' && operation !== 'vkey')
    return { call: await goodCall(agent, operation, random) }
  const [publicKey, keys] = [await publicKeyOf(agent), makeBootstrapKeys(agent)]
  const halves = {
    ukey: { body: ukeyBody(publicKey, keys, agent.id) },
    vkey: { body: vkeyBody(publicKey, keys) },
  }
  return {
    call: halves[operation],
    async isUsed() {
      const other = operation === 'ukey' ? 'vkey' : 'ukey'
      await agent.call(other, halves[other])
      const { derived } = await proveKey(agent, keys, freshNonce(random))
      // A half left behind would be joined with the keys of the next scenario.
      await giveKeys(agent, makeBootstrapKeys(agent), random)
      return derived
    },
  }
}

const REFUSED = 'a refusal: 401 or 403, or an end of the TLS connection without an answer'

/** Whether a request was refused as that of a stranger. */
export function isClosed({ status, endedInTls }: Reply): boolean {
  return status === undefined ? endedInTls : status === 401 || status === 403
}

function kindFor(operation: AgentOperation, kind: CertificateKind): CertificateKind {
  return kind === 'other-authority' ? (SENT[operation] ?? kind) : kind
}

function strangerOf(
  authority: { readonly certificate: string; readonly key: string },
  kind: CertificateKind,
) {
  const make = certificateMaker({
    ca: authority.certificate,
    issuer: authority,
    admin: { name: 'judge' },
  })
  return make(kind)
}
