import type { Section } from '../form.ts'
import { BASELINES } from './baselines.ts'
import { CERTIFICATE_VARIANTS } from './certificate-variants.ts'
import { CONTACT_VARIANTS, ID_VARIANTS } from './contact-variants.ts'
import { POINT_VARIANTS, RSA_VARIANTS, SAME_KEY_VARIANTS } from './key-variants.ts'
import type { Registration, RegistrationVariant } from './registration.ts'
import { ATTRIBUTE_VARIANTS, SIZE_VARIANTS } from './structure-variants.ts'

/** Section E.5 without the cases that need a responding TPM (cases 53, 55 and 57, and part of 47, 50 and 51). */
export function registrationSection(): Section<Registration, RegistrationVariant> {
  return {
    section: 'E.5',
    baselines: BASELINES,
    variants: [
      ...SIZE_VARIANTS,
      ...ATTRIBUTE_VARIANTS,
      ...SAME_KEY_VARIANTS,
      ...POINT_VARIANTS,
      ...RSA_VARIANTS,
      ...CERTIFICATE_VARIANTS,
      ...ID_VARIANTS,
      ...CONTACT_VARIANTS,
    ],
  }
}
