import type { Scenario } from '../scenario.ts'
import { replay } from './telling.ts'
import { type StoryRole, tellingOf } from './tellings.ts'

/** A scenario in which the steps of a story happen again, held against the same model as when it was found. */
export function replayed(id: string, role: StoryRole, steps: readonly string[]): Scenario {
  return tellingOf(role, (telling) => ({
    ...{ id, role, requirements: telling.requirements, since: '3.0' },
    title: 'A story that the model does not tell so',
    run: (context) => replay(telling, context, steps),
  }))
}
