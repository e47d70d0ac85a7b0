import { type Answer, type Call, type Handler, parameter } from '../../api/call.ts'
import { OPERATIONAL_STATES } from '../../api/operational-states.ts'
import type { TenantWebOperation } from '../../api/routes/tenant-web.ts'
import { ApiError, StartFault } from '../../errors.ts'
import { enrol, stepsFor } from '../commands/add.ts'
import { withoutKey } from '../commands/cvstatus.ts'
import { endVerification } from '../commands/delete-agent.ts'
import { reglist } from '../commands/reglist.ts'
import { agentIdOf, findAgent, order, readAgent } from '../known-agent.ts'
import { stateName } from '../operational-state.ts'
import { idsIn, type Members } from '../read-members.ts'
import type { Tenant } from '../tenant.ts'
import { TenantFault } from '../tenant-fault.ts'
import { addRequestOf, parseAddBody } from './add-body.ts'
import type { PageFiles } from './page-files.ts'
import type { SharedSession } from './shared-session.ts'
import { refusalOf } from './web-fault.ts'
import { LOG_TYPE, readLog, type WebLog } from './web-log.ts'

/** How requests are read. */
export const TENANT_WEB_RULES = { parseAddBody, readLog }
export type TenantWebRules = typeof TENANT_WEB_RULES

export interface TenantWebParts {
  readonly rules: TenantWebRules
  readonly log: WebLog
  readonly page: PageFiles
  /** A session for one change, whose progress goes to `say`. @throws {StartFault} */
  readonly open: (say: (sentence: string) => void) => Tenant
  readonly reading: SharedSession
}

type Work = (tenant: Tenant, agentId: string, call: Call) => Promise<string>

/** The operations of the web application: those of the commands, for one agent. */
export function tenantWebOperations(
  parts: TenantWebParts,
): Readonly<Record<TenantWebOperation, Handler>> {
  const { log, page, rules } = parts
  const busy = new Set<string>()
  const changing =
    (verb: string, work: Work): Handler =>
    (call) =>
      change(parts, busy, { verb, work, call })
  return {
    'list-agents': () => asking(parts, listAgents),
    'read-agent': (call) =>
      asking(parts, (tenant) => recordOf(tenant, agentIdOf({ uuid: parameter(call, 'agent_id') }))),
    'reactivate-agent': changing('reactivate', async ({ verifier }, agentId) => {
      await order(verifier, agentId, 'reactivate')
      return 'reactivated'
    }),
    'stop-agent': changing('stop', async ({ verifier }, agentId) => {
      await order(verifier, agentId, 'stop')
      return 'stopped'
    }),
    'delete-agent': changing('delete', async (tenant, agentId) => {
      await endVerification(tenant, agentId)
      return 'deleted from the verifier'
    }),
    'add-agent': changing('add', adding(rules)),
    'list-logs': () => ({ body: { logs: [LOG_TYPE] } }),
    'read-log': (call) => rules.readLog(log, call),
    'read-page': () => page.html,
    'read-style': () => page.style,
    'read-script': () => page.script,
  }
}

function adding(rules: TenantWebRules): Work {
  return async (tenant, agentId, { body }) => {
    const request = await addRequestOf(agentId, rules.parseAddBody(body), tenant)
    await enrol(tenant, request, stepsFor(tenant, request))
    return `added to the verifier at ${tenant.verifier.peer.address}`
  }
}

/** Agents that the registrar knows, and those that only the verifier knows, where it lists them. */
async function listAgents(tenant: Tenant): Promise<Members> {
  const { result } = await reglist(tenant, { uuid: '', verify: true, verifierCheck: true, set: [] })
  const registered = idsIn({ uuids: result.agents }) ?? []
  const verified = (await unlessRefused(() => verifiedAgents(tenant))) ?? []
  return { uuids: [...new Set([...registered, ...verified])].toSorted() }
}

async function verifiedAgents({ verifier }: Tenant): Promise<readonly string[]> {
  const question = { path: '/agents', verb: 'list', what: 'list of agents', ifMissing: '' }
  return idsIn((await verifier.ask(question)).results) ?? []
}

/** Undefined from a verifier without a list: the interface document has no such route. */
async function unlessRefused<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof TenantFault && error.exit === 1) return undefined
    throw error
  }
}

/**
 * What the verifier knows of an agent, and without that what the registrar knows: it is registered. `state` is the name
 * of the operational state.
 */
async function recordOf(tenant: Tenant, agentId: string): Promise<Members> {
  const verified = await findAgent(tenant.verifier, agentId)
  if (verified !== undefined) {
    const state = stateName(verified.operational_state) ?? null
    return { ...withoutKey(verified), agent_id: agentId, added: true, state }
  }
  const { ip, port, regcount } = await readAgent(tenant.registrar, agentId)
  const state = { operational_state: OPERATIONAL_STATES.registered, state: 'registered' }
  return { agent_id: agentId, added: false, ...state, ip, port, regcount }
}

async function asking(
  { reading }: TenantWebParts,
  question: (tenant: Tenant) => Promise<Members>,
): Promise<Answer> {
  try {
    return { body: await reading.ask(question) }
  } catch (error) {
    throw refusalOf(error)
  }
}

interface Change {
  readonly verb: string
  readonly work: Work
  readonly call: Call
}

/** One change of an agent at a time; its beginning, its progress and its end go to the log. */
async function change(
  { log, open }: TenantWebParts,
  busy: Set<string>,
  { verb, work, call }: Change,
): Promise<Answer> {
  const agentId = parameter(call, 'agent_id')
  const name = call.identity.type === 'admin' ? call.identity.name : call.identity.type
  if (busy.has(agentId))
    throw new ApiError('conflict', `another change of agent ${agentId} is in hand`)
  busy.add(agentId)
  log.add(`${name}: ${verb} agent ${agentId}`)
  try {
    const tenant = open((sentence) => log.add(`agent ${agentId}: ${sentence}`))
    const outcome = await work(tenant, agentIdOf({ uuid: agentId }), call).finally(() =>
      tenant.close(),
    )
    log.add(`agent ${agentId} ${outcome}`)
    return { body: { agent_id: agentId } }
  } catch (error) {
    const isMeant = error instanceof StartFault || error instanceof ApiError
    const why = error instanceof StartFault ? error.sentence : isMeant ? error.message : 'a defect'
    log.add(`failed to ${verb} agent ${agentId}: ${why}`)
    throw refusalOf(error)
  } finally {
    busy.delete(agentId)
  }
}
