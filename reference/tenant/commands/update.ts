import { readAddRequest } from '../add/add-request.ts'
import type { Run } from '../commands.ts'
import { enrol } from './add.ts'
import { endVerification } from './delete-agent.ts'

/**
 * Ends the verification of an agent, and adds it as `add` does: the verifier knows no changes of one. What cannot be read
 * is told before anything ends.
 */
export const update: Run = async (tenant, options) => {
  const request = await readAddRequest(options, tenant)
  await endVerification(tenant, request.agentId)
  return enrol(tenant, options, request)
}
