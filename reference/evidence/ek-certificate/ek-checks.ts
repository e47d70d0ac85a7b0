import type { KeyObject } from 'node:crypto'
import type { Certificate } from './parse-certificate.ts'
import { KEY_USAGE } from './parse-extensions.ts'
import { subjectPublicKey } from './subject-key.ts'
import { tpmNamesOf } from './tpm-names.ts'

/** A check of an EK certificate alone; `problem` completes the sentence "the certificate …". */
export interface EkCheck {
  readonly id: string
  readonly why: string
  problem(certificate: Certificate): string | undefined
}

const WEAK_SIGNATURES: ReadonlyMap<string, string> = new Map([
  ['1.2.840.113549.1.1.2', 'MD2'],
  ['1.2.840.113549.1.1.3', 'MD4'],
  ['1.2.840.113549.1.1.4', 'MD5'],
  ['1.2.840.113549.1.1.5', 'SHA-1'],
  ['1.3.14.3.2.29', 'SHA-1'],
  ['1.2.840.10040.4.3', 'SHA-1'],
  ['1.2.840.10045.4.1', 'SHA-1'],
])
const SMALLEST_RSA = 2048
/** Curves of TCG's EK templates (TCG EK Credential Profile, B.4). */
const CURVES: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1', 'secp521r1'])

/** Checks of an EK certificate that do not depend on its issuer (TCG EK Credential Profile, 3.2). */
export const ekChecks: readonly EkCheck[] = [
  {
    id: 'ekcert.version',
    why: 'a certificate without extensions does not say what its key is for',
    problem: ({ version }) =>
      version === 3 ? undefined : `is of version ${version} of X.509, and not of 3`,
  },
  {
    id: 'ekcert.end',
    why: 'the key of an authority signs, and could certify keys that are in no TPM',
    problem: ({ constraints }) =>
      constraints?.ca === true
        ? 'is one of an authority, and not of an endorsement key'
        : undefined,
  },
  {
    id: 'ekcert.key-usage',
    why: 'no challenge can be encrypted to a key that may only sign',
    problem: ({ keyUsage }) =>
      keyUsage === undefined ||
      keyUsage.has(KEY_USAGE.keyEncipherment) ||
      keyUsage.has(KEY_USAGE.keyAgreement)
        ? undefined
        : 'is for a key that may neither encrypt keys nor agree on them',
  },
  {
    id: 'ekcert.signing',
    why: 'an endorsement key that signs certificates would be a maker of TPMs',
    problem: ({ keyUsage }) =>
      keyUsage?.has(KEY_USAGE.keyCertSign) ? 'is for a key that may sign certificates' : undefined,
  },
  {
    id: 'ekcert.hash',
    why: 'for a hash whose collisions can be made, one signature may stand under two certificates',
    problem: ({ signatureAlgorithm }) => {
      const hash = WEAK_SIGNATURES.get(signatureAlgorithm)
      return hash && `is signed over ${hash}`
    },
  },
  {
    id: 'ekcert.names',
    why: 'a certificate that names two makers can be read as either’s',
    problem: (certificate) => {
      const twice = Object.entries(tpmNamesOf(certificate)).find(([, values]) => values.length > 1)
      return twice && `names the ${twice[0]} of its TPM in ${twice[1].length} ways`
    },
  },
  {
    id: 'ekcert.key',
    why: 'the challenge of a registration is worth as much as the key that hides it',
    problem: ({ key }) => keyProblem(loadKey(() => subjectPublicKey(key))),
  },
]

function loadKey(load: () => KeyObject): KeyObject | undefined {
  try {
    return load()
  } catch {
    return undefined
  }
}

function keyProblem(key: KeyObject | undefined): string | undefined {
  if (key === undefined) return 'is for a key that cannot be loaded'
  const { asymmetricKeyType: kind, asymmetricKeyDetails: details = {} } = key
  if (kind === 'rsa') {
    const bits = details.modulusLength ?? 0
    return bits >= SMALLEST_RSA
      ? undefined
      : `is for an RSA key of ${bits} bits, and 2048 are the least`
  }
  if (kind === 'ec' && CURVES.has(details.namedCurve ?? '')) return undefined
  return `is for a key of a kind that no endorsement key has: ${kind} ${details.namedCurve ?? ''}`.trimEnd()
}
