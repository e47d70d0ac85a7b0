import { NO_SERVER_ERROR } from '../../../conformance/attempt/check.ts'
import { PrerequisiteFailed } from '../../../conformance/attempt/endings.ts'
import { isRefusal, presentReply, results } from '../../../conformance/attempt/reply.ts'
import { BOOT_POLICY, enrolmentOf } from '../../../conformance/client/agents/enrolment.ts'
import { expectSuccess } from '../../../conformance/client/agents/expect-success.ts'
import { identityQuery, identityQuote } from '../../../conformance/client/agents/identity-quote.ts'
import {
  thirdPartyEvidence,
  verifyEvidenceRequest,
} from '../../../conformance/client/agents/third-party-evidence.ts'
import { base64 } from '../../../conformance/client/bytes.ts'
import { runtimePolicyOf } from '../../../simulator/platform/boot-facts.ts'
import { type Action, type Attempt, presence, type Stage } from './action.ts'
import { ATTESTATION_ACTIONS } from './attestation-actions.ts'

type Names = Parameters<Stage['context']['verifier']['call']>[0]

/** Requests a path without a version. */
function plain(path: string): Action {
  return async ({ context, agent }) => ({ agent, send: (as) => context.verifier.get(path, { as }) })
}

/** A server error for an administrator too is a fault of the route, and no decision about a client. */
const probe: Action = async ({ context, agent }) => {
  const { verifier } = context
  const send: Attempt['send'] = (as) => verifier.call('probe', { as })
  const reply = await send(verifier.admin)
  if (reply.status !== undefined && reply.status >= 500)
    throw new PrerequisiteFailed({
      ...{ requirement: 'VRS-ROOT', what: 'GET of the root' },
      ...{ expected: NO_SERVER_ERROR[0], received: presentReply(reply) },
    })
  return { agent, send }
}

async function addAgent({ context, agent }: Stage): Promise<Attempt> {
  const { verifier, random, cleanUp } = context
  const agentId = random.uuid()
  const body = enrolmentOf(agent.machine, {}, verifier.dialect)
  return {
    agent,
    once: true,
    async send(as) {
      const reply = await verifier.call('add-agent', { params: { agent_id: agentId }, body, as })
      if (!isRefusal(reply)) cleanUp(() => verifier.deleteAgent(agentId))
      return reply
    },
    look: async () => ({
      what: 'the agent after refused additions',
      received: presence(await verifier.readAgent(agentId)),
      expected: 'not there',
    }),
  }
}

const readAgent: Action = async ({ context, agent }) => ({
  agent,
  reads: true,
  send: (as) => context.verifier.readAgent(agent.id, as),
})

async function deleteAgent({ context, newAgent }: Stage): Promise<Attempt> {
  const agent = await newAgent()
  const { verifier } = context
  return {
    agent,
    once: true,
    send: (as) => verifier.call('delete-agent', { params: { agent_id: agent.id }, as }),
    look: async () => ({
      what: 'the agent after refused deletions',
      received: presence(await verifier.readAgent(agent.id)),
      expected: 'there',
    }),
  }
}

/** Stops or reactivates an agent; its status record shows the result. */
function move(operation: 'reactivate' | 'stop'): Action {
  return async ({ context, newAgent }) => {
    const agent = await newAgent()
    const { verifier } = context
    const state = async () => results(await verifier.readAgent(agent.id), 'operational_state')
    const before = await state()
    return {
      agent,
      once: true,
      send: (as) => verifier.call(operation, { params: { agent_id: agent.id }, as }),
      look: async () => ({
        what: 'operational_state of the agent',
        received: await state(),
        expected: before,
      }),
    }
  }
}

/** The operations of one kind of policy, and a body that creates one. */
interface PolicyKind {
  readonly create: Names
  readonly read: Names
  readonly remove: Names
  readonly body: Readonly<Record<string, unknown>>
}

const RUNTIME: PolicyKind = {
  create: 'create-policy',
  read: 'read-policy',
  remove: 'delete-policy',
  body: {
    tpm_policy: '{}',
    runtime_policy: base64(new TextEncoder().encode(JSON.stringify(runtimePolicyOf([])))),
  },
}

const BOOT: PolicyKind = {
  create: 'create-boot-policy',
  read: 'read-boot-policy',
  remove: 'delete-boot-policy',
  body: { mb_policy: BOOT_POLICY },
}

/** Statuses of a path that does not exist or is read-only. */
const READ_ONLY: ReadonlySet<number | undefined> = new Set([404, 405])

function policyCalls({ context }: Stage, kind: PolicyKind) {
  const { verifier, random, cleanUp, notApplicable } = context
  const params = { name: `assay-${random.uuid()}` }
  const { create, read, remove, body } = kind
  const removeLater = () => cleanUp(() => verifier.call(remove, { params, as: verifier.admin }))
  const add = async (as = verifier.admin) => {
    const reply = await verifier.call(create, { params, body, as })
    if (!isRefusal(reply)) removeLater()
    return reply
  }
  return {
    params,
    create: add,
    /** Adds the policy, if the version supports that. */
    async exists() {
      const reply = await add()
      const isForReading = kind === BOOT && READ_ONLY.has(reply.status)
      if (isForReading) notApplicable('this version has read-only boot policies (MB24)')
      expectSuccess('adding a policy', reply)
    },
    read: (as = verifier.admin) => verifier.call(read, { params, as }),
    remove: (as = verifier.admin) => verifier.call(remove, { params, as }),
  }
}

function createPolicy(kind: PolicyKind): Action {
  return async (stage) => {
    const policy = policyCalls(stage, kind)
    return {
      agent: stage.agent,
      once: true,
      send: policy.create,
      look: async () => ({
        what: 'the policy after refused additions',
        received: presence(await policy.read()),
        expected: 'not there',
      }),
    }
  }
}

function readPolicy(kind: PolicyKind): Action {
  return async (stage) => {
    const policy = policyCalls(stage, kind)
    await policy.exists()
    return { agent: stage.agent, reads: true, send: policy.read }
  }
}

function deletePolicy(kind: PolicyKind): Action {
  return async (stage) => {
    const policy = policyCalls(stage, kind)
    await policy.exists()
    return {
      agent: stage.agent,
      once: true,
      send: policy.remove,
      look: async () => ({
        what: 'the policy after refused deletions',
        received: presence(await policy.read()),
        expected: 'there',
      }),
    }
  }
}

const NEW_BOOT_POLICY = { mb_policy: JSON.stringify({ has_secureboot: true }) }

async function updateBootPolicy(stage: Stage): Promise<Attempt> {
  const { verifier } = stage.context
  const policy = policyCalls(stage, BOOT)
  await policy.exists()
  const before = results(await policy.read())
  const { params } = policy
  return {
    agent: stage.agent,
    once: true,
    send: (as) => verifier.call('update-boot-policy', { params, body: NEW_BOOT_POLICY, as }),
    look: async () => ({
      what: 'the policy after refused updates',
      received: results(await policy.read()),
      expected: before,
    }),
  }
}

const listPolicies: Action = async ({ context, agent }) => ({
  agent,
  reads: true,
  send: (as) => context.verifier.call('list-policies', { as }),
})

async function verifyIdentity({ context, agent }: Stage): Promise<Attempt> {
  const claim = { agent_uuid: agent.id, nonce: 'nonce' }
  const query = identityQuery({ ...claim, quote: await identityQuote(agent.machine, claim.nonce) })
  return {
    agent,
    reads: true,
    send: (as) => context.verifier.call('verify-identity', { query, as }),
  }
}

async function verifyEvidence({ context, agent }: Stage): Promise<Attempt> {
  const { verifier } = context
  const evidence = await thirdPartyEvidence(agent.machine, { quoted: 'nonce', stated: 'nonce' })
  const body = verifyEvidenceRequest(evidence, verifier.dialect)
  return {
    agent,
    reads: true,
    send: (as) => verifier.call('verify-evidence', { body, as }),
  }
}

/** Every verifier operation, by its name in the matrix. */
export const VERIFIER_ACTIONS: Readonly<Record<string, Action>> = {
  version: plain('/version'),
  versions: plain('/versions'),
  root: plain('/'),
  probe,
  'add-agent': addAgent,
  'read-agent': readAgent,
  'delete-agent': deleteAgent,
  reactivate: move('reactivate'),
  stop: move('stop'),
  'create-policy': createPolicy(RUNTIME),
  'read-policy': readPolicy(RUNTIME),
  'list-policies': listPolicies,
  'delete-policy': deletePolicy(RUNTIME),
  'create-boot-policy': createPolicy(BOOT),
  'read-boot-policy': readPolicy(BOOT),
  'update-boot-policy': updateBootPolicy,
  'delete-boot-policy': deletePolicy(BOOT),
  'verify-identity': verifyIdentity,
  'verify-evidence': verifyEvidence,
  ...ATTESTATION_ACTIONS,
}
