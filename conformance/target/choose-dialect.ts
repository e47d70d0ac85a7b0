import type { Dialect } from '../dialects/dialect.ts'
import { resolveDialect } from '../dialects/resolve-dialect.ts'
import { SetupFault } from '../input/fault.ts'
import type { TargetDialect } from './target.ts'

/** The dialect that a target file names; throws a {@link SetupFault} with its position if it is unknown. */
export function chooseDialect(dialect: TargetDialect): Dialect {
  const resolution = resolveDialect(dialect)
  if ('dialect' in resolution) return resolution.dialect
  throw new SetupFault(`${dialect.placeOf(resolution.key)}: ${resolution.problem}`, {
    code: 'D-DIALECT',
  })
}
