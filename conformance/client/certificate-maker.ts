import { X509Certificate } from 'node:crypto'
import { type Credential, makeCertificate } from '../../simulator/x509/factory.ts'
import { type CertificateKind, RECIPES, type Recipe } from '../../simulator/x509/recipes.ts'
import { NotApplicable } from '../attempt/endings.ts'
import { ANONYMOUS, type Credentials } from './identity.ts'

interface MakerParts {
  /** PEM of the CA that issues the target's certificates. */
  readonly ca: string
  /** The CA with its key, if the target file has it. */
  readonly issuer?: Credential
  readonly admin: Credentials
}

interface MakeOptions {
  /** Subject common name, unless the kind defines it. */
  readonly commonName?: string
  /** Validity in days from now, unless the kind defines it. */
  readonly days?: readonly [from: number, to: number]
}

/** Makes credentials with a client certificate of that kind. @throws {NotApplicable} if this needs the CA's key */
export type MakeCertificate = (kind: CertificateKind, options?: MakeOptions) => Promise<Credentials>

/** Issuers of recipes that are the CA of the target, or have a certificate of it. */
const SIGNED_BY_CA: ReadonlySet<string> = new Set(['trusted', 'intermediate', 'client-sent'])

/** Makes client certificates for one scenario, by the harness's clock. */
export function certificateMaker({ ca, issuer, admin }: MakerParts): MakeCertificate {
  return async (kind, options = {}) => {
    if (kind === 'none') return ANONYMOUS
    if (kind === 'right') return admin
    if (kind === 'authority') return credentialsOf(kind, issuer ?? noIssuer())
    const recipe: Recipe = { ...options, ...RECIPES[kind] }
    const { issuer: signer = 'trusted' } = recipe
    if (SIGNED_BY_CA.has(signer)) issuer ?? noIssuer()
    const trusted = issuer ?? { certificate: ca }
    return credentialsOf(kind, await makeCertificate(recipe, trusted, Date.now()))
  }
}

function noIssuer(): never {
  throw new NotApplicable('the target file has no tls.issuer, which this certificate needs')
}

function credentialsOf(kind: string, { certificate: cert, key }: Credential): Credentials {
  const subject = new X509Certificate(cert).subject.replaceAll('\n', ', ')
  return { name: `a certificate of the kind ${kind}`, certificate: { cert, key, subject } }
}
