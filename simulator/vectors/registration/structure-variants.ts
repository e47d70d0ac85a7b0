import { TPM_ALG, TPMA_OBJECT } from '../../tpm/constants.ts'
import { cat, tpm2b, u8 } from '../../tpm/write.ts'
import { RECORDED } from './baselines.ts'
import { alterPublic, base64, type RegistrationVariant } from './registration.ts'

/** An id that the TCG registry gives to no algorithm. */
const UNKNOWN_HASH = 0x00ff

/** Returns the same bytes with another size. */
function resized(tpm2bPublic: Uint8Array, by: number): string {
  const inner = tpm2bPublic.subarray(2)
  return base64(tpm2b(inner, inner.length + by))
}

function sizeVariants(
  member: 'aik_tpm' | 'ek_tpm',
  key: Uint8Array,
): readonly RegistrationVariant[] {
  const name = member === 'aik_tpm' ? 'aik' : 'ek'
  const common = { case: 45, of: 'rsa', outcome: 'refused', code: 'TPM2B_PUBLIC' } as const
  const change = (value: string) => ({ [member]: value })
  return [
    {
      ...common,
      id: `e5-45-${name}-size-one-more`,
      what: `the size of ${member} is one byte more than there is`,
      change: change(resized(key, 1)),
    },
    {
      ...common,
      id: `e5-45-${name}-size-one-less`,
      what: `the size of ${member} is one byte less than its structure takes`,
      change: change(resized(key, -1)),
    },
    {
      ...common,
      id: `e5-45-${name}-byte-after`,
      what: `one byte follows the structure of ${member}, within its size`,
      change: change(base64(tpm2b(cat(key.subarray(2), u8(0))))),
    },
  ]
}

/** Case 45: the outer size does not match the inner structure. */
export const SIZE_VARIANTS: readonly RegistrationVariant[] = [
  ...sizeVariants('aik_tpm', RECORDED.akRsa),
  ...sizeVariants('ek_tpm', RECORDED.ek),
]

function attributeVariant(
  name: string,
  bit: number,
  what: string,
  code: string,
): RegistrationVariant {
  const aik_tpm = alterPublic(RECORDED.akRsa, 'rsa', ({ objectAttributes }) => ({
    objectAttributes: objectAttributes ^ bit,
  }))
  const common = { case: 46, of: 'rsa', outcome: 'refused' } as const
  return { ...common, id: `e5-46-aik-${name}`, what, change: { aik_tpm }, code }
}

/** Case 46: keys that are not attestation keys. */
export const ATTRIBUTE_VARIANTS: readonly RegistrationVariant[] = [
  attributeVariant(
    'unrestricted',
    TPMA_OBJECT.restricted,
    'the AIK also signs what its TPM did not make',
    'must be restricted',
  ),
  attributeVariant('no-sign', TPMA_OBJECT.sign, 'the AIK cannot sign', 'must be a signing key'),
  attributeVariant(
    'decrypt',
    TPMA_OBJECT.decrypt,
    'the AIK decrypts too',
    'must not be a decryption key',
  ),
  attributeVariant(
    'not-fixed-tpm',
    TPMA_OBJECT.fixedTPM,
    'the AIK can leave its TPM',
    'must be fixed to its TPM',
  ),
  attributeVariant(
    'not-fixed-parent',
    TPMA_OBJECT.fixedParent,
    'the AIK can be given another parent',
    'must be fixed to its parent',
  ),
  attributeVariant(
    'brought-in',
    TPMA_OBJECT.sensitiveDataOrigin,
    'the private half of the AIK came from outside',
    'must have been created inside the TPM',
  ),
  attributeVariant(
    'no-user-with-auth',
    TPMA_OBJECT.userWithAuth,
    'the AIK obeys neither an authorization value nor a policy',
    'must be usable',
  ),
  {
    case: 46,
    id: 'e5-46-aik-no-name-alg',
    what: 'the nameAlg of the AIK is TPM_ALG_NULL, so that it has no Name',
    of: 'rsa',
    change: { aik_tpm: alterPublic(RECORDED.akRsa, 'rsa', () => ({ nameAlg: TPM_ALG.NULL })) },
    outcome: 'refused',
    code: 'must have a nameAlg',
  },
  {
    case: 46,
    id: 'e5-46-aik-no-scheme',
    what: 'the AIK is bound to no signing scheme',
    of: 'rsa',
    change: {
      aik_tpm: alterPublic(RECORDED.akRsa, 'rsa', () => ({ scheme: { alg: TPM_ALG.NULL } })),
    },
    outcome: 'refused',
    code: 'must have a signing scheme',
  },
  {
    case: 46,
    id: 'e5-46-aik-no-scheme-hash',
    what: 'the signing scheme of the AIK has a hash that no TPM has',
    of: 'rsa',
    change: {
      aik_tpm: alterPublic(RECORDED.akRsa, 'rsa', ({ scheme }) => ({
        scheme: { ...scheme, hash: UNKNOWN_HASH },
      })),
    },
    outcome: 'refused',
    code: 'must have a signing scheme',
  },
]
