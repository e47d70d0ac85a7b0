import type { Model } from './model.ts'
import { PUSH_AGENT_MODEL } from './push-agent-steps.ts'
import { VERIFIER_MODEL } from './verifier-steps.ts'

/** Whom stories can be told of. */
export const MODEL_ROLES = ['verifier', 'push_agent'] as const
export type ModelRole = (typeof MODEL_ROLES)[number]

/** Gives the telling of a role to whoever does not mind what its stories are made of. */
export function modelOf<T>(role: ModelRole, use: <Sequence>(model: Model<Sequence>) => T): T {
  return role === 'verifier' ? use(VERIFIER_MODEL) : use(PUSH_AGENT_MODEL)
}
