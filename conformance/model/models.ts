import type { Model } from './model.ts'
import { PUSH_AGENT_MODEL } from './push-agent-steps.ts'
import { VERIFIER_MODEL } from './verifier-steps.ts'

/** Roles with a model. */
export const MODEL_ROLES = ['verifier', 'push_agent'] as const
export type ModelRole = (typeof MODEL_ROLES)[number]

/** Calls `use` with the role's model. */
export function modelOf<T>(role: ModelRole, use: <Sequence>(model: Model<Sequence>) => T): T {
  return role === 'verifier' ? use(VERIFIER_MODEL) : use(PUSH_AGENT_MODEL)
}
