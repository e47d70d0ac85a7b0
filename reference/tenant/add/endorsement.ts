import type { KeyObject } from 'node:crypto'
import { fromBase64 } from '../../bytes/base64.ts'
import { WireError } from '../../bytes/wire-error.ts'
import type { EkCheck } from '../../evidence/ek-certificate/ek-checks.ts'
import { subjectPublicKey } from '../../evidence/ek-certificate/subject-key.ts'
import { presentWorkaround } from '../../evidence/ek-certificate/workarounds.ts'
import { checkPath, type PathCheck } from '../../pki/check-path.ts'
import { type PathCertificate, readPathCertificate } from '../../pki/path-certificate.ts'
import { decode } from '../../tpm/codec.ts'
import { TPM2B_PUBLIC } from '../../tpm/public.ts'
import { publicKeyOf } from '../../tpm/public-key.ts'
import type { Registration } from './registration.ts'

/** A registered endorsement key and what it is checked against. */
export interface EndorsementCase {
  readonly registration: Pick<Registration, 'ek_tpm' | 'ekcert'>
  /** Makers of TPMs; undefined where there is no store. */
  readonly store: readonly PathCertificate[] | undefined
  readonly pathChecks: readonly PathCheck[]
  /** Checks of its certificate alone. */
  readonly ekChecks: readonly EkCheck[]
  /** Milliseconds since 1970. */
  readonly now: number
}

/** A check of an endorsement key; `problem` is a clause without a full stop. No check relies on an earlier one. */
export interface EndorsementCheck {
  readonly id: string
  readonly why: string
  problem(subject: EndorsementCase): string | undefined
}

/** tcg-kp-EKCertificate (TCG EK Credential Profile, 3.2.16). */
const EK_CERTIFICATE = '2.23.133.8.1'

/** The checks for the setting that requires an endorsement key of a known maker. */
export const endorsementChecks: readonly EndorsementCheck[] = [
  {
    id: 'endorsement.present',
    why: 'without a certificate any key could pose as that of a TPM',
    problem: ({ registration }) =>
      registration.ekcert === undefined ? 'it has no certificate' : undefined,
  },
  {
    id: 'endorsement.readable',
    why: 'what cannot be read cannot be checked',
    problem: ({ registration: { ekcert } }) => {
      const problem = ekcert === undefined ? undefined : attemptRead(ekcert).problem
      return problem && `its certificate is not base64 DER: ${problem}`
    },
  },
  {
    id: 'endorsement.certificate',
    why: 'a key that was certified for another purpose is not an endorsement key',
    problem({ registration, ekChecks }) {
      const read = readCertificate(registration.ekcert)?.read
      const problem = read && ekChecks.map((check) => check.problem(read)).find(Boolean)
      return problem && `its certificate ${problem}`
    },
  },
  {
    id: 'endorsement.key',
    why: 'a good certificate of one TPM vouches for no other',
    problem: checkKey,
  },
  {
    id: 'endorsement.store',
    why: 'a store without makers vouches for no TPM',
    problem: ({ store }) =>
      store === undefined ? 'no makers of TPMs are known here that could vouch for it' : undefined,
  },
  {
    id: 'endorsement.path',
    why: 'an attacker can issue a certificate; only the makers of TPMs have their keys',
    problem: ({ registration, store, pathChecks, now }) => {
      const certificate = readCertificate(registration.ekcert)
      if (certificate === undefined || store === undefined) return undefined
      const request = { certificate, store, now, usage: EK_CERTIFICATE, checks: pathChecks }
      const problem = checkPath(request)
      return problem && `its certificate ${problem}`
    },
  },
]

interface Attempt {
  readonly certificate?: PathCertificate
  readonly problem?: string
}

function attemptRead(ekcert: string): Attempt {
  try {
    return { certificate: readPathCertificate(fromBase64(ekcert, 'ekcert')) }
  } catch (error) {
    return { problem: error instanceof WireError ? error.message : 'OpenSSL cannot read it' }
  }
}

function readCertificate(ekcert: string | undefined): PathCertificate | undefined {
  return ekcert === undefined ? undefined : attemptRead(ekcert).certificate
}

/** Workarounds that were needed to parse the certificate of an agent. */
export function endorsementNotes({ ekcert }: Pick<Registration, 'ekcert'>): readonly string[] {
  return readCertificate(ekcert)?.read.workarounds.map(presentWorkaround) ?? []
}

function checkKey({ registration }: EndorsementCase): string | undefined {
  const certificate = readCertificate(registration.ekcert)
  if (certificate === undefined || registration.ek_tpm === undefined) return undefined
  const key = readKey(registration.ek_tpm)
  if (key === undefined) return 'it is no TPM2B_PUBLIC of a key that is known here'
  return isOf(certificate, key) ? undefined : 'its certificate is for another key'
}

function isOf({ read }: PathCertificate, key: KeyObject): boolean {
  try {
    return subjectPublicKey(read.key).equals(key)
  } catch {
    return false
  }
}

function readKey(ek_tpm: string): KeyObject | undefined {
  try {
    return publicKeyOf(decode(TPM2B_PUBLIC, fromBase64(ek_tpm, 'ek_tpm')).contents)
  } catch {
    return undefined
  }
}
