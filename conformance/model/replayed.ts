import type { Scenario } from '../scenario.ts'
import { replay } from './model.ts'
import { type ModelRole, modelOf } from './models.ts'

/** A scenario in which the steps of a story happen again, held against the same model as when it was found. */
export function replayed(id: string, role: ModelRole, steps: readonly string[]): Scenario {
  return modelOf(role, (model) => ({
    ...{ id, role, requirements: model.requirements, since: '3.0' },
    title: 'A story that the model does not tell so',
    run: (context) => replay(model, context, steps),
  }))
}
