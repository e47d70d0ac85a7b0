import { stretch } from '../../soft/keys.ts'
import { cat, filled, u8 } from '../../tpm/write.ts'
import { LEADING_ZERO, OTHER, RECORDED } from './baselines.ts'
import { alterPublic, base64, type Registration, type RegistrationVariant } from './registration.ts'
import { rocaModulus } from './roca.ts'

/** Case 47: one key in two roles. The key of another agent needs two registrations, and is tested elsewhere. */
export const SAME_KEY_VARIANTS: readonly RegistrationVariant[] = [
  {
    case: 47,
    id: 'e5-47-aik-is-ek',
    what: 'the EK is given as the AIK',
    of: 'rsa',
    change: { aik_tpm: base64(RECORDED.ek) },
    outcome: 'refused',
    code: 'an attestation key must',
  },
]

/** TPM_ECC_CURVE of other curves than that of the point, and an undefined number. */
const CURVES: Readonly<Record<string, readonly [name: string, id: number]>> = {
  'p-192': ['P-192', 0x0001],
  'p-224': ['P-224', 0x0002],
  'bn-p256': ['BN P-256', 0x0010],
  sm2: ['SM2 P-256', 0x0020],
  unknown: ['0xffff', 0xffff],
}

const UNUSABLE = 'must hold a public key that can be used'

const curveVariants = Object.entries(CURVES).map(
  ([name, [title, curve]]): RegistrationVariant => ({
    case: 48,
    id: `e5-48-curve-${name}`,
    what: `the curve of the AIK is given as ${title}, and its point is one of P-256`,
    of: 'ecc',
    change: { aik_tpm: alterPublic(RECORDED.akEcc, 'ecc', () => ({ curve })) },
    outcome: 'refused',
    code: UNUSABLE,
  }),
)

function lastBitFlipped(bytes: Uint8Array): Uint8Array {
  return cat(bytes.subarray(0, -1), u8((bytes.at(-1) ?? 0) ^ 1))
}

function pointVariant(
  name: string,
  what: string,
  change: Parameters<typeof alterPublic<'ecc'>>[2],
): RegistrationVariant {
  const aik_tpm = alterPublic(RECORDED.akEcc, 'ecc', change)
  const common = { case: 48, of: 'ecc', outcome: 'refused', code: UNUSABLE } as const
  return { ...common, id: `e5-48-${name}`, what, change: { aik_tpm } }
}

/** Case 48: curves and points. */
export const POINT_VARIANTS: readonly RegistrationVariant[] = [
  ...curveVariants,
  pointVariant('off-curve', 'the point of the AIK is not on its curve', ({ y }) => ({
    y: lastBitFlipped(y),
  })),
  pointVariant('infinity-zeros', 'the point of the AIK is written as two zeros', () => ({
    x: filled(32),
    y: filled(32),
  })),
  pointVariant('infinity-empty', 'the point of the AIK has no coordinates', () => ({
    x: filled(0),
    y: filled(0),
  })),
  pointVariant('x-31-bytes', 'the first byte of x is cut off, and was not zero', ({ x }) => ({
    x: x.subarray(1),
  })),
  {
    case: 48,
    id: 'e5-48-x-without-leading-zero',
    what: 'x has 31 bytes because its leading zero is left out',
    of: 'leading-zero',
    change: { aik_tpm: alterPublic(LEADING_ZERO, 'ecc', ({ x }) => ({ x: x.subarray(1) })) },
    outcome: 'either',
  },
  {
    case: 48,
    id: 'e5-48-ek-off-curve',
    what: 'the point of the EK is not on its curve',
    of: 'other',
    change: { ek_tpm: alterPublic(OTHER.ek, 'ecc', ({ y }) => ({ y: lastBitFlipped(y) })) },
    outcome: 'refused',
    code: 'the point is not on curve nist_p256',
  },
]

/** A number of that many bits that resembles a modulus. */
function madeModulus(bits: number): Uint8Array {
  const drawn = stretch('a modulus', bits / 8)
  return cat(u8((drawn[0] ?? 0) | 0x80), drawn.subarray(1, -1), u8((drawn.at(-1) ?? 0) | 1))
}

function rsaVariant(
  name: string,
  what: string,
  change: Parameters<typeof alterPublic<'rsa'>>[2],
  code?: string,
): RegistrationVariant {
  const member: Registration = { aik_tpm: alterPublic(RECORDED.akRsa, 'rsa', change) }
  const common = { case: 49, id: `e5-49-${name}`, what, of: 'rsa', change: member } as const
  return { ...common, outcome: 'either', ...(code === undefined ? {} : { code }) }
}

/** Case 49: weak RSA keys. */
export const RSA_VARIANTS: readonly RegistrationVariant[] = [
  rsaVariant('rsa-1024', 'the AIK has 1024 bits', () => ({
    keyBits: 1024,
    unique: madeModulus(1024),
  })),
  rsaVariant('exponent-1', 'the exponent of the AIK is 1', () => ({ exponent: 1 }), UNUSABLE),
  rsaVariant('exponent-2', 'the exponent of the AIK is 2', () => ({ exponent: 2 }), UNUSABLE),
  rsaVariant('exponent-3', 'the exponent of the AIK is 3', () => ({ exponent: 3 })),
  // TPM 2.0 Part 2, 12.2.3.5: 0 stands for this exponent.
  {
    ...rsaVariant('exponent-65537', 'the exponent 65537 is written out instead of 0', () => ({
      exponent: 65537,
    })),
    outcome: 'accepted',
  },
  rsaVariant(
    'modulus-even',
    'the modulus of the AIK is even',
    ({ unique }) => ({ unique: lastBitFlipped(unique) }),
    UNUSABLE,
  ),
  rsaVariant('modulus-roca', 'the modulus of the AIK bears the fingerprint of ROCA', () => ({
    unique: rocaModulus('a modulus'),
  })),
]
