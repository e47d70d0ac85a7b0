import { type AddRequest, readAddRequest } from '../add/add-request.ts'
import { type AddStep, takeSteps } from '../add/adding.ts'
import type { Tenant } from '../tenant.ts'
import type { Outcome, Run } from './command.ts'

/** Adds an agent, step by step; the input is read before the first request. */
export const add: Run = async (tenant, options) => {
  const request = await readAddRequest(options, tenant)
  return enrol(tenant, request, stepsFor(tenant, request))
}

/** How an agent of that model is added. */
export function stepsFor(
  { parts: { pullSteps, pushSteps } }: Pick<Tenant, 'parts'>,
  { model }: Pick<AddRequest, 'model'>,
): readonly AddStep[] {
  return model === 'push' ? pushSteps : pullSteps
}

/** @throws {TenantFault} of the step that does not succeed */
export async function enrol(
  tenant: Tenant,
  request: AddRequest,
  steps: readonly AddStep[],
): Promise<Outcome> {
  await takeSteps(steps, tenant, request)
  const { agentId, model } = request
  const { address } = tenant.verifier.peer
  return {
    result: { agent_id: agentId, model, verifier: address },
    text: `agent ${agentId} added to the verifier at ${address}`,
  }
}
