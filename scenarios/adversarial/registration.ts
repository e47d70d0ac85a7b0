import { registrationFamily } from './support/registration-family.ts'

export default registrationFamily({
  place: 'adversarial.registration',
  requirements: {
    'e5-45-aik': 'REG-REQUEST-AIK-FORM',
    'e5-45-ek': 'REG-REQUEST-EK-READ',
    'e5-46-aik-unrestricted': 'REG-AIK-RESTRICTED',
    'e5-46-aik-no-sign': 'REG-AIK-SIGNS',
    'e5-46-aik-decrypt': 'REG-AIK-NO-DECRYPTION',
    'e5-46-aik-not-fixed-tpm': 'REG-AIK-FIXED-TPM',
    'e5-46-aik-not-fixed-parent': 'REG-AIK-FIXED-PARENT',
    'e5-46-aik-brought-in': 'REG-AIK-MADE-INSIDE',
    'e5-46-aik-no-user-with-auth': 'REG-AIK-USABLE',
    'e5-46-aik-no-name-alg': 'REG-AIK-NAMED',
    'e5-46-aik-no-scheme': 'REG-AIK-SCHEME',
    'e5-47': 'REG-AIK-NOT-EK',
    'e5-48-ek': 'REG-REQUEST-EK-READ',
    'e5-48': 'REG-AIK-PUBLIC-KEY',
    'e5-51': 'REG-REQUEST-EK-READ',
    'e5-54': 'REG-ID-SAFE',
  },
})
