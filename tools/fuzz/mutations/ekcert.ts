import type { SeededRandom } from '../../../conformance/attempt/random.ts'
import { derSignature, signEcdsa } from '../../../simulator/soft/ecdsa.ts'
import { scalarOf } from '../../../simulator/soft/keys.ts'
import { cat, text } from '../../../simulator/tpm/write.ts'
import { bits, sequence } from '../../../simulator/x509/der.ts'
import {
  CertificateFault,
  type CertificateField,
  readCertificate,
  signedPartsOf,
} from '../../../simulator/x509/read-certificate.ts'
import { mutateBytes, oneOf } from '../mutate-bytes.ts'
import type { Mutation, MutationAt } from '../stages.ts'
import { BODY_MUTATIONS } from './body.ts'
import { changeDer } from './change-der.ts'
import { REGISTRATION_MUTATIONS } from './registration.ts'

type Head = Pick<MutationAt<'certificate'>, 'id' | 'what' | 'breaks'>
type Change = (certificate: Uint8Array, random: SeededRandom) => Uint8Array

/** Before its maker signs it. */
function unsigned(head: Head, change: Change): Mutation {
  return { ...head, stage: 'certificate', change }
}

/** After its maker has signed it. */
function signed(head: Head, change: Change): Mutation {
  return { ...head, stage: 'ekcert', change }
}

/** Where a part of a certificate lies; undefined when it has none, or is none after another mutation. */
function fieldOf(certificate: Uint8Array, path: string): CertificateField | undefined {
  const fields: CertificateField[] = []
  try {
    readCertificate(certificate, 0, (field) => fields.push(field))
  } catch (error) {
    if (!(error instanceof CertificateFault)) throw error
  }
  return fields.find((one) => one.path === path)
}

function overwritten(certificate: Uint8Array, at: number, bytes: Uint8Array): Uint8Array {
  const over = Uint8Array.from(certificate)
  over.set(bytes, at)
  return over
}

const GENERALIZED_TIME = 0x18

/** Another instant in place of one of its times, in as many letters; years as UTCTime has them. */
function dated(path: string, instant: string): Change {
  return (certificate) => {
    const field = fieldOf(certificate, path)
    if (field === undefined) return certificate
    const { offset, tag } = field
    const century = tag === GENERALIZED_TIME ? '20' : ''
    return overwritten(certificate, offset, text(`${century}${instant}`))
  }
}

/** One bit of the middle of a part turned. */
function middleTurned(path: string): Change {
  return (certificate, random) => {
    const field = fieldOf(certificate, path)
    if (field === undefined) return certificate
    const { offset, length } = field
    const at = offset + (length >> 1)
    return overwritten(
      certificate,
      at,
      Uint8Array.of((certificate[at] ?? 0) ^ (1 << random.below(8))),
    )
  }
}

const STRANGER = scalarOf('a maker of TPMs that is not trusted')

function signedByStranger(certificate: Uint8Array): Uint8Array {
  if (fieldOf(certificate, 'signatureAlgorithm') === undefined) return certificate
  const { body, algorithm } = signedPartsOf(certificate)
  return sequence(body, algorithm, bits(derSignature(signEcdsa(STRANGER, body))))
}

/** Mutations of an EK certificate, and of the request that it travels in. */
export const EKCERT_MUTATIONS: readonly Mutation[] = [
  unsigned(
    { id: 'certificate.element', what: 'has an element that its maker has not meant, and signed' },
    changeDer,
  ),
  unsigned({ id: 'certificate.bytes', what: 'has mutated bytes, and is signed' }, mutateBytes),
  unsigned(
    { id: 'certificate.key', what: 'certifies the key of another TPM', breaks: 'ekcert-key' },
    middleTurned('subjectPublicKeyInfo'),
  ),
  unsigned(
    { id: 'certificate.over', what: 'is of an earlier decade', breaks: 'ekcert-time' },
    dated('validity.notAfter', '010101000000Z'),
  ),
  unsigned(
    { id: 'certificate.ahead', what: 'is of a later decade', breaks: 'ekcert-time' },
    dated('validity.notBefore', '491231000000Z'),
  ),
  signed({ id: 'ekcert.element', what: 'has an element that its maker has not signed' }, changeDer),
  signed(
    { id: 'ekcert.signature', what: 'has a mutated signature', breaks: 'ekcert-maker' },
    middleTurned('signatureValue'),
  ),
  signed(
    { id: 'ekcert.stranger', what: 'is signed by an untrusted maker', breaks: 'ekcert-maker' },
    signedByStranger,
  ),
  signed(
    { id: 'ekcert.cut', what: 'is a certificate cut off', breaks: 'ekcert-form' },
    (bytes, random) => bytes.slice(0, 1 + random.below(Math.max(1, bytes.length - 1))),
  ),
  signed({ id: 'ekcert.before', what: 'has something before it' }, (bytes, random) =>
    cat(random.bytes(oneOf([1, 7, 500], random)), bytes),
  ),
  ...REGISTRATION_MUTATIONS.filter(({ id }) => id.startsWith('ekcert.')),
  ...BODY_MUTATIONS.filter(({ id }) => id !== 'body.control'),
]
