import type { Section } from './form.ts'
import { asciiSection } from './ima/e6-ima-ascii.ts'
import { binarySection } from './ima/e7-ima-binary.ts'
import { quoteStringSection } from './quote/e1-quote-string.ts'
import { attestSection } from './quote/e2-attest.ts'
import { signatureSection } from './quote/e3-signature.ts'
import { pcrPartSection } from './quote/e4-pcr-part.ts'
import type { RegistrationVariant } from './registration/registration.ts'
import { registrationSection } from './registration/section.ts'
import { logSection } from './uefi/e8-uefi-log.ts'
import { dataSection } from './uefi/e9-uefi-data.ts'

type AnySection = Section<unknown> | Section<unknown, RegistrationVariant>

/** File below `fixtures/adversarial/` -> its generator. A section's variants are evaluated from the file alone. */
export const SECTIONS: Readonly<Record<string, () => AnySection>> = {
  'e1-quote-string.json': quoteStringSection,
  'e2-attest.json': attestSection,
  'e3-signature.json': signatureSection,
  'e4-pcr-part.json': pcrPartSection,
  'e5-registration.json': registrationSection,
  'e6-ima-ascii.json': asciiSection,
  'e7-ima-binary.json': binarySection,
  'e8-uefi-log.json': logSection,
  'e9-uefi-data.json': dataSection,
}
