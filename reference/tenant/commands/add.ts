import { type AddRequest, readAddRequest } from '../add/add-request.ts'
import { takeSteps } from '../add/adding.ts'
import type { Outcome, Run } from '../commands.ts'
import type { TenantOptions } from '../options.ts'
import type { Tenant } from '../tenant.ts'

/** Adds an agent, step by step; what a person gives is read before anybody is asked. */
export const add: Run = async (tenant, options) =>
  enrol(tenant, options, await readAddRequest(options, tenant))

/** @throws {TenantFault} of the step that does not succeed */
export async function enrol(
  tenant: Tenant,
  { pushModel }: Pick<TenantOptions, 'pushModel'>,
  request: AddRequest,
): Promise<Outcome> {
  const { pullSteps, pushSteps } = tenant.parts
  await takeSteps(pushModel ? pushSteps : pullSteps, tenant, request)
  const { agentId } = request
  const { address } = tenant.verifier.peer
  return {
    result: { agent_id: agentId, model: pushModel ? 'push' : 'pull', verifier: address },
    text: `agent ${agentId} added to the verifier at ${address}`,
  }
}
