import type { Random } from '../random.ts'
import type { RegistrarStore } from '../storage/registrar-store.ts'
import type { RegistrationRules } from './registration-rules.ts'

/** What the operations of the registrar work with. */
export interface RegistrarParts {
  readonly store: RegistrarStore
  readonly random: Random
  readonly rules: RegistrationRules
}
