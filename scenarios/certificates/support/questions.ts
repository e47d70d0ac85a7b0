import type { Reply } from '../../../conformance/attempt/reply.ts'
import { applies } from '../../../conformance/catalogue/routes/operations.ts'
import { expectSuccess } from '../../../conformance/client/agents/expect-success.ts'
import { base64 } from '../../../conformance/client/bytes.ts'
import type { CallOptions } from '../../../conformance/client/component-client.ts'
import type { Context } from '../../../conformance/scenario.ts'
import { runtimePolicyOf } from '../../../simulator/platform/boot-facts.ts'

export const COMPONENTS = ['registrar', 'verifier'] as const
export type ComponentName = (typeof COMPONENTS)[number]

/** An administrator operation, and the resource that it applies to. */
export interface Question {
  readonly operation: string
  readonly since: string
  readonly until?: string
  /** Whether the operation deletes the resource. */
  readonly deletes?: true
  /** Creates the resource; returns the parameters of the path. */
  prepare(context: Context, parts: PrepareParts): Promise<Parameters>
  ask(context: Context, options: CallOptions): Promise<Reply>
}

type Parameters = Readonly<Record<string, string>>

export interface PrepareParts {
  /** Server certificate with which agents register and are added. */
  readonly mtlsCertificate?: string
}

const SINCE = '2.5'

/** A client that may delete may also read, so reads detect a resource that was deleted by mistake. */
const QUESTIONS: Readonly<Record<ComponentName, readonly Question[]>> = {
  registrar: [
    {
      operation: 'list',
      since: SINCE,
      prepare: async () => ({}),
      ask: ({ registrar }, options) => registrar.call('list', options),
    },
    {
      operation: 'read',
      since: SINCE,
      prepare: activated,
      ask: ({ registrar }, options) => registrar.call('read', options),
    },
    {
      operation: 'delete',
      since: SINCE,
      deletes: true,
      prepare: activated,
      ask: ({ registrar }, options) => registrar.call('delete', options),
    },
  ],
  verifier: [
    {
      operation: 'read-agent',
      since: SINCE,
      until: '2.5',
      prepare: enrolled,
      ask: ({ verifier }, options) => verifier.call('read-agent', options),
    },
    {
      operation: 'delete-agent',
      since: SINCE,
      until: '2.5',
      deletes: true,
      prepare: enrolled,
      ask: ({ verifier }, options) => verifier.call('delete-agent', options),
    },
    {
      operation: 'read-policy',
      since: SINCE,
      until: '2.5',
      prepare: policy,
      ask: ({ verifier }, options) => verifier.call('read-policy', options),
    },
    {
      operation: 'delete-policy',
      since: SINCE,
      until: '2.5',
      deletes: true,
      prepare: policy,
      ask: ({ verifier }, options) => verifier.call('delete-policy', options),
    },
    {
      operation: 'list-attestations',
      since: '3.0',
      prepare: attesting,
      ask: ({ verifier }, options) => verifier.call('list-attestations', options),
    },
    {
      operation: 'read-attestation',
      since: '3.0',
      prepare: attesting,
      ask: ({ verifier }, options) => verifier.call('read-attestation', options),
    },
  ],
}

export function questionsOf(component: ComponentName, version: string): readonly Question[] {
  return QUESTIONS[component].filter((question) => applies(question, version))
}

async function activated({ machines }: Context, parts: PrepareParts): Promise<Parameters> {
  const agent = await machines.silentAgent(parts)
  await agent.activate()
  return { agent_id: agent.id }
}

async function enrolled({ machines }: Context, parts: PrepareParts): Promise<Parameters> {
  const agent = await machines.silentAgent(parts)
  expectSuccess('adding an agent', await agent.enrol())
  return { agent_id: agent.id }
}

/** A policy without files; no agent is added with it. */
const POLICY = JSON.stringify(runtimePolicyOf([]))

async function policy({ verifier, random, cleanUp }: Context): Promise<Parameters> {
  const params = { name: `assay-${random.uuid()}` }
  const body = { tpm_policy: '{}', runtime_policy: base64(new TextEncoder().encode(POLICY)) }
  cleanUp(() => verifier.call('delete-policy', { as: verifier.admin, params }))
  const created = await verifier.call('create-policy', { as: verifier.admin, params, body })
  expectSuccess('adding a policy', created)
  return params
}

const begun = new WeakMap<Context, Promise<Parameters>>()

/**
 * An agent with an open attestation, one for the whole scenario: it requires a machine, since only a TPM can log
 * in.
 */
function attesting(context: Context): Promise<Parameters> {
  const params = begun.get(context) ?? beginAttestation(context)
  begun.set(context, params)
  return params
}

async function beginAttestation({ machines }: Context): Promise<Parameters> {
  const agent = await machines.pushAgent()
  const { index } = await agent.negotiate()
  return { agent_id: agent.id, index }
}
