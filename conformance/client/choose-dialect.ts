import { SetupFault } from '../target/fault.ts'
import type { TargetDialect } from '../target/target.ts'
import type { Dialect } from './dialect.ts'
import { resolveDialect } from './resolve-dialect.ts'

/** The dialect that a target file asks for; a {@link SetupFault} with its place when it is not known. */
export function chooseDialect(said: TargetDialect): Dialect {
  const resolution = resolveDialect(said)
  if ('dialect' in resolution) return resolution.dialect
  throw new SetupFault(`${said.placeOf(resolution.key)}: ${resolution.problem}`, {
    code: 'D-DIALECT',
  })
}
