import { readAddRequest } from '../add/add-request.ts'
import type { AddStep } from '../add/adding.ts'
import { checkPolicies } from '../add/check-policies.ts'
import { enrol, stepsFor } from './add.ts'
import type { Run } from './command.ts'
import { endVerification } from './delete-agent.ts'

/**
 * Ends the verification of an agent, and adds it as `add` does: the verifier cannot change an enrolment. Unreadable
 * files, unreachable servers, an agent without proof of identity and unusable policies are reported before anything
 * ends.
 */
export const update: Run = async (tenant, options) => {
  const request = await readAddRequest(options, tenant)
  return enrol(tenant, request, withEnd(stepsFor(tenant, request)))
}

const END: readonly AddStep[] = [
  {
    id: 'update.policies',
    why: 'an agent whose new policies are refused would be left without verification',
    async run({ tenant, request }) {
      await checkPolicies(tenant, request)
      return {}
    },
  },
  {
    id: 'update.end',
    why: 'the old verification ends before the new one is set up',
    async run({ tenant, request: { agentId } }) {
      await endVerification(tenant, agentId)
      tenant.say(`agent ${agentId} deleted from the verifier; it is not verified until it is added`)
      return {}
    },
  },
]

/** The steps that only read, then the end, then the others. */
function withEnd(steps: readonly AddStep[]): readonly AddStep[] {
  const looking = steps.findIndex(({ isLasting }) => isLasting)
  return [...steps.slice(0, looking), ...END, ...steps.slice(looking)]
}
