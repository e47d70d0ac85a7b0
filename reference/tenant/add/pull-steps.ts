import { nonsense } from '../peers/server.ts'
import { textIn } from '../read-members.ts'
import { TenantFault } from '../tenant-fault.ts'
import { type AddStep, foundBefore } from './adding.ts'
import { COMMON_STEPS } from './common-steps.ts'
import type { Identity } from './identity.ts'
import { openAgent } from './open-agent.ts'
import { readNodeKey } from './payload/bootstrap-keys.ts'
import { proveDerivation } from './prove-derivation.ts'

const { lookUp, endorse, enrol, confirm } = COMMON_STEPS

const MEMBERS = ['quote', 'hash_alg', 'enc_alg', 'sign_alg', 'pubkey'] as const

/**
 * How a pull agent is added, in the order of the wire: nothing secret is sent before the agent's identity is checked, and
 * the verifier hears of it only once the agent has its half.
 */
export const pullSteps: readonly AddStep[] = [
  lookUp,
  {
    id: 'add.agent-version',
    why: 'both have to use the same version',
    async run(adding) {
      const agent = openAgent(adding.tenant, adding.request, foundBefore(adding, 'registration'))
      adding.tenant.say(`agent at ${agent.peer.address}: API ${await agent.version()}`)
      return { agent }
    },
  },
  {
    id: 'add.identity-quote',
    why: 'the agent has to answer now, and for itself',
    async run(adding) {
      const agent = foundBefore(adding, 'agent')
      const { parts } = adding.tenant
      const nonce = parts.randomText(parts.random)
      const { results } = await agent.ask({
        path: `/quotes/identity?nonce=${encodeURIComponent(nonce)}`,
        ...{ verb: 'give', what: 'identity quote', ifMissing: 'add it in a version that has one' },
      })
      const missing = MEMBERS.find((name) => !textIn(results, name))
      if (missing !== undefined) throw nonsense(agent.peer, `gives an identity without ${missing}`)
      const member = (name: keyof Identity) => textIn(results, name) ?? ''
      const [quote, pubkey] = [member('quote'), member('pubkey')]
      const [hash_alg, enc_alg, sign_alg] = [
        member('hash_alg'),
        member('enc_alg'),
        member('sign_alg'),
      ]
      return { identity: { quote, pubkey, hash_alg, enc_alg, sign_alg, nonce } }
    },
  },
  {
    id: 'add.identity',
    why: 'halves of keys go to the machine whose TPM has registered, and to no one in between',
    async run(adding) {
      const { parts, config: accepted } = adding.tenant
      const agent = foundBefore(adding, 'agent')
      const { nonce, ...identity } = foundBefore(adding, 'identity')
      const { aik_tpm } = foundBefore(adding, 'registration')
      const { quoteChecks, boundKeyChecks } = parts
      const version = await agent.version()
      const subject = { identity, nonce, aik_tpm, version, accepted, quoteChecks, boundKeyChecks }
      const problem = parts.identityChecks.map((check) => check.problem(subject)).find(Boolean)
      if (problem !== undefined) throw notProven(adding.request.agentId, problem)
      adding.tenant.say(`quote from ${agent.peer.address} validated`)
      return {}
    },
  },
  endorse,
  {
    id: 'add.keys',
    why: 'neither the verifier nor the network alone may open the payload',
    async run({ tenant: { parts }, request: { sealed } }) {
      return { keys: sealed?.keys ?? parts.bootstrap.split(parts.random) }
    },
  },
  {
    id: 'add.u-key',
    why: 'the agent waits for its half and for the payload',
    isLasting: true,
    async run(adding) {
      const { bootstrap, random } = adding.tenant.parts
      const { agentId, payload, sealed } = adding.request
      const { k, u } = foundBefore(adding, 'keys')
      const { pubkey } = foundBefore(adding, 'identity')
      const key = readNodeKey(pubkey)
      if (key === undefined) throw notProven(agentId, 'its public key cannot be used')
      await foundBefore(adding, 'agent').ask({
        ...{ method: 'POST', path: '/keys/ukey', verb: 'take', what: 'the U key' },
        ifMissing: 'make sure that it is a pull agent',
        body: {
          auth_tag: bootstrap.authTag(k, agentId),
          encrypted_key: bootstrap.wrap(u, key),
          ...(payload !== undefined && { payload: bootstrap.seal(k, payload, random) }),
          ...(sealed?.text !== undefined && { payload: sealed.text }),
        },
      })
      return {}
    },
  },
  enrol,
  confirm,
  {
    id: 'add.derived',
    why: 'an agent that could not put its halves together never opens the payload',
    async run(adding) {
      if (adding.request.verify) await proveDerivation(adding)
      return {}
    },
  },
]

function notProven(agentId: string, problem: string): TenantFault {
  return new TenantFault(
    'identity_not_proven',
    `agent ${agentId} does not prove who it is: ${problem}`,
    'nothing was sent to it; look at its machine, and at its registration: assay tenant regstatus',
  )
}
