import { X509Certificate } from 'node:crypto'
import { SetupFault } from '../../../conformance/input/fault.ts'
import type { Comparison } from '../inspection.ts'
import type { Given } from '../read-given.ts'

/** Certificates that are trusted, and the time at which they are asked. */
export interface Trust {
  readonly certificates: readonly X509Certificate[]
  /** Milliseconds since 1970. */
  readonly now: number
}

const PEM = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g
const LONGEST = 8

/** Reads the certificates of `--trust`; a SetupFault says when there is none. */
export function readTrust({ file, bytes }: Given, now: number): Trust {
  const found = Buffer.from(bytes).toString('latin1').match(PEM) ?? []
  try {
    if (found.length > 0) return { certificates: found.map((pem) => new X509Certificate(pem)), now }
  } catch {
    // The sentence is the same: one of them is none.
  }
  throw new SetupFault(`${file} holds no certificates in PEM`, {
    next: 'give the certificates of the makers, one after the other, in one file',
  })
}

/** Whether there is a path of signatures to a certificate that is trusted, and whether each is valid now. */
export function compareTrust(
  read: X509Certificate,
  trust: Trust | undefined,
): readonly Comparison[] {
  if (trust === undefined)
    return [{ id: 'issuer', holds: null, says: 'not compared: nobody was trusted (--trust FILE)' }]
  const path = pathOf(read, trust.certificates)
  const last = path.at(-1) ?? read
  const over = path.find((one) => !isValid(one, trust.now))
  return [
    path.length === 1
      ? {
          id: 'issuer',
          holds: false,
          says: `nobody in the file has signed it; it names ${lineOf(read.issuer)}`,
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
          says: `each of the ${path.length} is valid now, up to ${lineOf(last.subject)}`,
        }
      : {
          id: 'dates',
          holds: false,
          says: `${lineOf(over.subject)} is valid from ${over.validFrom} to ${over.validTo}, and not now`,
        },
  ]
}

function lineOf(name: string | undefined): string {
  return (name ?? '').replaceAll('\n', ', ') || 'an empty name'
}

function isValid({ validFrom, validTo }: X509Certificate, now: number): boolean {
  return Date.parse(validFrom) <= now && now <= Date.parse(validTo)
}

/** From a certificate upwards, as long as somebody who is not on the path has signed the last. */
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
