import { X509Certificate } from 'node:crypto'
import { SetupFault } from '../../../conformance/input/fault.ts'
import type { Comparison } from '../inspection.ts'
import type { Given } from '../read-given.ts'

/** Trusted certificates and the time of the validation. */
export interface Trust {
  readonly certificates: readonly X509Certificate[]
  /** Milliseconds since 1970. */
  readonly now: number
}

const PEM = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g
const LONGEST = 8

/** Reads the certificates of `--trust`. Throws a {@link SetupFault} if there is none or one is invalid. */
export function readTrust({ file, bytes }: Given, now: number): Trust {
  const found = Buffer.from(bytes).toString('latin1').match(PEM) ?? []
  try {
    if (found.length > 0) return { certificates: found.map((pem) => new X509Certificate(pem)), now }
  } catch {
    // An invalid certificate is reported like a missing one.
  }
  throw new SetupFault(`${file} contains no valid certificates in PEM`, {
    next: 'pass a file with the CA certificates in PEM, one after the other',
  })
}

/** Checks for a chain of signatures to a trusted certificate, and the validity period of each certificate in it. */
export function compareTrust(
  read: X509Certificate,
  trust: Trust | undefined,
): readonly Comparison[] {
  if (trust === undefined)
    return [
      { id: 'issuer', holds: null, says: 'not verified: no trusted certificates (--trust FILE)' },
    ]
  const path = pathOf(read, trust.certificates)
  const last = path.at(-1) ?? read
  const over = path.find((one) => !isValid(one, trust.now))
  return [
    path.length === 1
      ? {
          id: 'issuer',
          holds: false,
          says: `NOT signed by a trusted certificate; its issuer is ${lineOf(read.issuer)}`,
        }
      : {
          id: 'issuer',
          holds: true,
          says: `signed by ${path
            .slice(1)
            .map((one) => lineOf(one.subject))
            .join(', which is signed by ')}`,
        },
    over === undefined
      ? {
          id: 'dates',
          holds: true,
          says: `all ${path.length} certificates up to ${lineOf(last.subject)} are valid now`,
        }
      : {
          id: 'dates',
          holds: false,
          says: `${lineOf(over.subject)} is NOT valid now, but from ${over.validFrom} to ${over.validTo}`,
        },
  ]
}

function lineOf(name: string | undefined): string {
  return (name ?? '').replaceAll('\n', ', ') || 'an empty name'
}

function isValid({ validFrom, validTo }: X509Certificate, now: number): boolean {
  return Date.parse(validFrom) <= now && now <= Date.parse(validTo)
}

/** The certificate and its chain of trusted issuers, without cycles. */
function pathOf(
  first: X509Certificate,
  trusted: readonly X509Certificate[],
): readonly X509Certificate[] {
  const path = [first]
  while (path.length <= LONGEST) {
    const last = path.at(-1) ?? first
    const issuer = trusted.find(
      (one) =>
        !path.some(({ raw }) => raw.equals(one.raw)) &&
        last.checkIssued(one) &&
        last.verify(one.publicKey),
    )
    if (issuer === undefined) break
    path.push(issuer)
  }
  return path
}
