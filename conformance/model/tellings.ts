import { PUSH_AGENT_TELLING } from './push-agent-steps.ts'
import type { Telling } from './telling.ts'
import { VERIFIER_TELLING } from './verifier-steps.ts'

/** Whom stories can be told of. */
export const STORY_ROLES = ['verifier', 'push_agent'] as const
export type StoryRole = (typeof STORY_ROLES)[number]

/** Gives the telling of a role to whoever does not mind what its stories are made of. */
export function tellingOf<T>(role: StoryRole, use: <Story>(telling: Telling<Story>) => T): T {
  return role === 'verifier' ? use(VERIFIER_TELLING) : use(PUSH_AGENT_TELLING)
}
