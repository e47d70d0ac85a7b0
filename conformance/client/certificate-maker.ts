import { X509Certificate } from 'node:crypto'
import { type Credential, makeCertificate } from '../../simulator/x509/factory.ts'
import { type CertificateKind, RECIPES, type Recipe } from '../../simulator/x509/recipes.ts'
import { NotApplicable } from '../attempt/endings.ts'
import { ANONYMOUS, type Credentials } from './identity.ts'

export interface MakerParts {
  /** PEM of the CA that the target's certificates come from. */
  readonly ca: string
  /** The CA with its key, when the target file gives it. */
  readonly issuer?: Credential
  readonly admin: Credentials
}

export interface MakeOptions {
  /** For kinds whose name is not what they are about. */
  readonly commonName?: string
  /** Days from now at which it becomes valid, and at which it ends. */
  readonly days?: readonly [from: number, to: number]
}

/** Somebody with a client certificate of that kind; ends the scenario when only the CA's key could make it. */
export type MakeCertificate = (kind: CertificateKind, options?: MakeOptions) => Promise<Credentials>

/** Makes client certificates for one scenario, at the judge's own time. */
export function certificateMaker({ ca, issuer, admin }: MakerParts): MakeCertificate {
  return async (kind, options = {}) => {
    if (kind === 'none') return ANONYMOUS
    if (kind === 'right') return admin
    if (kind === 'authority') return credentialsOf(kind, issuer ?? noIssuer())
    const recipe: Recipe = { ...options, ...RECIPES[kind] }
    const { issuer: signer = 'trusted' } = recipe
    if (signer === 'trusted' || signer === 'intermediate') issuer ?? noIssuer()
    const trusted = issuer ?? { certificate: ca }
    return credentialsOf(kind, await makeCertificate(recipe, trusted, Date.now()))
  }
}

function noIssuer(): never {
  throw new NotApplicable(
    'the target file names no tls.issuer, so that no certificate of its CA can be made',
  )
}

function credentialsOf(kind: string, { certificate: cert, key }: Credential): Credentials {
  const subject = new X509Certificate(cert).subject.replaceAll('\n', ', ')
  return { name: `a certificate of the kind ${kind}`, certificate: { cert, key, subject } }
}
