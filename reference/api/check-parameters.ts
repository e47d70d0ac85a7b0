import { checkAgentId } from './agent-id.ts'
import { checkPolicyName } from './policy-name.ts'

/** Checks of path parameters by name; other parameters are looked up and never repeated. */
const CHECKS: Readonly<Record<string, (value: string) => unknown>> = {
  agent_id: (value) => checkAgentId(value),
  name: (value) => checkPolicyName(value),
}

/** Refuses a path parameter, decoded, that could not be the name of anything. */
export function checkParameters(params: Readonly<Record<string, string>>): void {
  for (const [name, check] of Object.entries(CHECKS)) {
    if (Object.hasOwn(params, name)) check(params[name] ?? '')
  }
}
