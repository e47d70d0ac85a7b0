import type { KeyForms } from '../../simulator/agents/key-forms.ts'
import type { Dialect } from '../dialects/dialect.ts'

/** The encodings that a dialect chooses. */
export function keyFormsOf(dialect: Dialect): KeyForms {
  return {
    padding: dialect['bootstrap-padding'],
    derivation: dialect['bootstrap-derivation'],
    tag: dialect['ukey-tag'],
    proof: dialect['verify-hmac'],
  }
}
