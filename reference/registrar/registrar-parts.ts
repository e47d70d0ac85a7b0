import type { ReplyShape } from '../api/reply-shape.ts'
import type { LookUpHost } from '../http-client/look-up-registration.ts'
import type { Random } from '../platform/random.ts'
import type { RegistrationRow } from '../storage/databases/database.ts'
import type { RegistrarStore } from '../storage/registrar-store.ts'
import type { CertificateParts } from './check-certificate.ts'
import type { RegistrationRules } from './registration-rules.ts'

/** The dependencies of the registrar's operations. */
export interface RegistrarParts extends CertificateParts {
  readonly store: RegistrarStore
  readonly random: Random
  readonly rules: RegistrationRules
  /** Undefined where the settings name no provider's registrar. */
  readonly lookUpHost?: LookUpHost | undefined
  /** How a registration is shown, by version. */
  readonly registration: ReplyShape<RegistrationRow>
}
