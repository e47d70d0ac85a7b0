import type { Random } from '../random.ts'
import type { RegistrarStore } from '../storage/registrar-store.ts'

/** What the operations of the registrar work with. */
export interface RegistrarParts {
  readonly store: RegistrarStore
  readonly random: Random
}
