import type { Dialect } from '../dialects/dialect.ts'
import { resolveDialect } from '../dialects/resolve-dialect.ts'
import { SetupFault } from '../input/fault.ts'
import type { TargetDialect } from './target.ts'

/** The dialect that a target file asks for; a {@link SetupFault} with its place when it is not known. */
export function chooseDialect(said: TargetDialect): Dialect {
  const resolution = resolveDialect(said)
  if ('dialect' in resolution) return resolution.dialect
  throw new SetupFault(`${said.placeOf(resolution.key)}: ${resolution.problem}`, {
    code: 'D-DIALECT',
  })
}
