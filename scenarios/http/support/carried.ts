import { isSuccess, listOf, type Reply, results } from '../../../conformance/attempt/reply.ts'
import { enrolmentOf } from '../../../conformance/client/agents/enrolment.ts'
import { base64 } from '../../../conformance/client/bytes.ts'
import { ANONYMOUS, type Credentials } from '../../../conformance/client/identity.ts'
import type { Context } from '../../../conformance/scenario.ts'
import {
  baselineRegistration,
  registrationBody,
} from '../../../conformance/steps/registration-file.ts'
import type { HttpRole } from './http-table.ts'

/** A request that creates a resource, to be sent in unusual forms; the resource is deleted when the scenario ends. */
export interface Carried {
  readonly url: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly credentials: Credentials
  /** Whether the resource exists; asked once, after the answer to the request, if there is one. */
  isThere(reply?: Reply): Promise<boolean>
}

/** The resource that a request creates: an agent at the registrar, a runtime policy at the verifier. */
export const CARRIERS: Readonly<Record<HttpRole, (context: Context) => Carried>> = {
  registrar: carriedRegistration,
  verifier: carriedPolicy,
}

function carriedRegistration(context: Context): Carried {
  const { registrar, verifier, random, version, cleanUp } = context
  const id = random.uuid()
  const baseline = registrationBody(baselineRegistration('rsa'), {}, registrar.dialect)
  cleanUp(() => registrar.delete(id, verifier.admin))
  const prefix = `/v${version}/agents/`
  return {
    url: registrar.url,
    path: version === '3.0' ? prefix : prefix + id,
    body: version === '3.0' ? { agent_id: id, ...baseline } : baseline,
    credentials: ANONYMOUS,
    isThere: (reply) => isRegistered(context, id, reply),
  }
}

/**
 * Whether a registrar knows a registration that was not activated. Not every registrar lists it (ambiguity UNACTIVATED):
 * then it is what can be deleted, and where unknown agents can be deleted too, the answer to the request counts.
 */
async function isRegistered(
  { registrar, verifier: { admin }, random }: Context,
  id: string,
  reply: Reply | undefined,
): Promise<boolean> {
  const uuids = listOf(results(await registrar.list(admin), 'uuids'))
  if (uuids?.includes(id) === true) return true
  const deleted = isSuccess(await registrar.delete(id, admin))
  const deletesUnknown = isSuccess(await registrar.delete(random.uuid(), admin))
  return deletesUnknown ? reply !== undefined && isSuccess(reply) : deleted
}

function carriedPolicy({ verifier, random, version, machines, cleanUp }: Context): Carried {
  const name = `assay-${random.uuid()}`
  const call = { params: { name }, as: verifier.admin }
  cleanUp(() => verifier.call('delete-policy', call))
  return {
    url: verifier.url,
    path: `/v${version}/allowlists/${name}`,
    body: {
      tpm_policy: '{}',
      runtime_policy: base64(new TextEncoder().encode(machines.policyOfBoot())),
    },
    credentials: verifier.admin,
    async isThere() {
      const read = await verifier.call('read-policy', call)
      return isSuccess(read) && typeof results(read, 'runtime_policy') === 'string'
    },
  }
}

/** The request that adds a new agent to the verifier with these metadata. */
export async function carriedAgent(
  { verifier, machines, version, cleanUp }: Context,
  metadata: string,
): Promise<Omit<Carried, 'isThere'> & { readonly id: string }> {
  const { id, machine } = await machines.lightAgent({ until: 'activated' })
  cleanUp(() => verifier.deleteAgent(id))
  return {
    id,
    url: verifier.url,
    path: `/v${version}/agents/${id}`,
    body: { ...enrolmentOf(machine, {}, verifier.dialect), metadata },
    credentials: verifier.admin,
  }
}

/** An existing resource, and the path on which an administrator deletes it. */
export interface Target {
  readonly url: string
  readonly path: string
  /** The path on which an administrator reads it. */
  readonly readPath: string
  isThere(): Promise<boolean>
}

/** Target of hostile requests: an active agent at the registrar, a runtime policy at the verifier. */
export const TARGETS: Readonly<Record<HttpRole, (context: Context) => Promise<Target>>> = {
  registrar: registeredAgent,
  verifier: storedPolicy,
}

async function registeredAgent({ registrar, verifier, machines, version }: Context) {
  const agent = await machines.pushAgent({ until: 'activated' })
  const path = `/v${version}/agents/${agent.id}`
  return {
    url: registrar.url,
    path,
    readPath: path,
    isThere: async () => isSuccess(await registrar.read(agent.id, verifier.admin)),
  }
}

async function storedPolicy(context: Context): Promise<Target> {
  const { verifier, version } = context
  const { path: readPath, body, url, isThere } = carriedPolicy(context)
  const name = readPath.slice(readPath.lastIndexOf('/') + 1)
  await verifier.call('create-policy', { params: { name }, as: verifier.admin, body })
  const collection = verifier.dialect['policy-delete-path']
  return { url, path: `/v${version}/${collection}/${name}`, readPath, isThere }
}

/** Whether the reply is a refusal: 4xx, an unsupported method or version, or a closed connection without an answer. */
export function isTurnedAway({ status, endedInTls }: Reply): boolean {
  if (status === undefined) return endedInTls
  return (status >= 400 && status < 500) || status === 501 || status === 505
}

export const TURNED_AWAY = [
  'a 4xx status, 501 or 505, or an end of the connection without an answer',
  isTurnedAway,
] as const
