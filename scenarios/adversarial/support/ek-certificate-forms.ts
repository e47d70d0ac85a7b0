import { X509Certificate } from 'node:crypto'
import { base64, unbase64 } from '../../../conformance/client/bytes.ts'
import type { Machine } from '../../../simulator/machine/machine.ts'
import { parseTpm2bPublic, spkiOf } from '../../../simulator/tpm/public.ts'
import {
  type CertificateQuirk,
  ekCertificate,
  WRAPPINGS,
} from '../../../simulator/vectors/registration/ek-certificate.ts'

/** One encoding of an EK certificate as produced by TPM vendors or stored in TPM NV memory. */
interface EkCertificateForm {
  readonly name: string
  /** `ekcert` of a registration. */
  readonly ekcert: string
  /**
   * How the `ekcert` of a record differs from this one: `as sent`, `without what surrounded it` or `the key in
   * another certificate`;
   * undefined if it is no certificate of this EK.
   */
  keptAs(ekcert: unknown): string | undefined
}

const QUIRKS: Readonly<Record<string, CertificateQuirk>> = {
  'set-order': { setOrder: true },
  'rsaes-oaep': { rsaesOaep: true },
  'encoded-default': { encodedDefault: true },
}

/** Returns every such encoding for the EK of this machine. */
export function ekCertificateForms(machine: Machine): readonly EkCertificateForm[] {
  const spki = spkiOf(parseTpm2bPublic(machine.ek.public))
  const { certificate } = machine.ek
  return [
    ...Object.entries(QUIRKS).map(([name, quirk]) => form(name, ekCertificate(spki, quirk))),
    ...Object.entries(WRAPPINGS).map(([name, wrap]) => form(name, wrap(certificate), certificate)),
  ]

  function form(name: string, sent: Uint8Array, inside = sent): EkCertificateForm {
    const keptAs = (ekcert: unknown) => {
      if (ekcert === base64(sent)) return 'as sent'
      if (ekcert === base64(inside)) return 'without what surrounded it'
      return isOfKey(ekcert, spki) ? 'the key in another certificate' : undefined
    }
    return { name, ekcert: base64(sent), keptAs }
  }
}

function isOfKey(ekcert: unknown, spki: Uint8Array): boolean {
  try {
    const { publicKey } = new X509Certificate(unbase64(String(ekcert)))
    return publicKey.export({ format: 'der', type: 'spki' }).equals(spki)
  } catch {
    return false
  }
}
