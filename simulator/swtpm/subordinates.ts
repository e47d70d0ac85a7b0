import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { der, sequence } from '../x509/der.ts'

export const EC_P256 = { name: 'ECDSA', namedCurve: 'P-256' }
export const ECDSA_SHA256 = { name: 'ECDSA', hash: 'SHA-256' }

/** A certificate issuer. */
export interface Signer {
  readonly name: string
  readonly keys: webcrypto.CryptoKeyPair
}

/**
 * Certificates below a manufacturer's: a CA with path length 0, a CA below it, a CA with a name constraint for
 * another manufacturer, and a certificate that is not a CA's.
 */
export type SubordinateName = 'last' | 'below-last' | 'named' | 'ordinary'

type Subordinates = Readonly<
  Record<SubordinateName, Signer & { readonly certificate: X509Certificate }>
>

/** The manufacturer whose TPMs the CA `named` may certify. */
const ANOTHER_MAKER = '2.23.133.2.1=id:FFFFF1D0'
const NAME_CONSTRAINTS = '2.5.29.30'

interface Below {
  readonly name: string
  readonly by: Signer
  readonly ca?: boolean
  readonly pathLength?: number
  /** An attribute with which every name has to begin. */
  readonly permitted?: string
}

/** NameConstraints (RFC 5280, 4.2.1.10) with one permitted directory name. */
function constraintsOn(name: string): Extension {
  const tree = sequence(der(0xa4, new Uint8Array(new Name(name).toArrayBuffer())))
  return new Extension(NAME_CONSTRAINTS, true, sequence(der(0xa0, tree)))
}

/** Creates all of them, each with a fresh key. */
export async function makeSubordinates(
  maker: Signer,
  dates: { readonly notBefore: Date; readonly notAfter: Date },
): Promise<Subordinates> {
  const make = async ({ name, by, ca = true, pathLength, permitted }: Below) => {
    const keys = await webcrypto.subtle.generateKey(EC_P256, false, ['sign', 'verify'])
    const certificate = await X509CertificateGenerator.create({
      ...{ issuer: by.name, subject: `${maker.name} ${name}`, ...dates },
      ...{ publicKey: keys.publicKey, signingKey: by.keys.privateKey },
      signingAlgorithm: ECDSA_SHA256,
      extensions: [
        new BasicConstraintsExtension(ca, pathLength, true),
        ...(ca ? [new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true)] : []),
        ...(permitted === undefined ? [] : [constraintsOn(permitted)]),
        await SubjectKeyIdentifierExtension.create(keys.publicKey),
        await AuthorityKeyIdentifierExtension.create(by.keys.publicKey),
      ],
    })
    return { name: `${maker.name} ${name}`, keys, certificate }
  }
  const last = await make({ name: 'last', by: maker, pathLength: 0 })
  return {
    last,
    'below-last': await make({ name: 'below last', by: last }),
    named: await make({ name: 'named', by: maker, permitted: ANOTHER_MAKER }),
    ordinary: await make({ name: 'ordinary', by: maker, ca: false }),
  }
}
