import { attestSection } from './e2-attest.ts'
import type { Section } from './form.ts'

/** File below `fixtures/adversarial/` -> what writes it. A section's variants are judged from the file alone. */
export const SECTIONS: Readonly<Record<string, () => Section<unknown>>> = {
  'e2-attest.json': attestSection,
}
