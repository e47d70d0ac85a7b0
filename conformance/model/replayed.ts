import type { Scenario } from '../scenario.ts'
import { replay } from './model.ts'
import { type ModelRole, modelOf } from './models.ts'

/** A scenario that replays a recorded sequence against its model. */
export function replayed(id: string, role: ModelRole, steps: readonly string[]): Scenario {
  return modelOf(role, (model) => ({
    ...{ id, role, requirements: model.requirements, since: '3.0' },
    title: 'The subject deviates from the model',
    run: (context) => replay(model, context, steps),
  }))
}
