import { mayName, namesOf } from '../evidence/ek-certificate/name-constraints.ts'
import type { PathCertificate } from './path-certificate.ts'

/** A certificate, its issuer, and so on to a trusted root. */
interface PathCase {
  /** The checked certificate first, the trusted one last. */
  readonly path: readonly PathCertificate[]
  /** Milliseconds since 1970. */
  readonly now: number
  /** OID that an extended key usage of the first must hold, where it has one. */
  readonly usage: string | undefined
}

/** One question asked of a path; `problem` completes the sentence "the certificate …". */
export interface PathCheck {
  readonly id: string
  readonly why: string
  problem(subject: PathCase): string | undefined
}

/** Extensions that are understood here, or that say nothing about a path (RFC 5280, 4.2; TCG EK Credential Profile, 3.2). */
const KNOWN_CRITICAL: ReadonlySet<string> = new Set([
  '2.5.29.9', // subjectDirectoryAttributes
  '2.5.29.14', // subjectKeyIdentifier
  '2.5.29.15', // keyUsage
  '2.5.29.17', // subjectAltName: an EK certificate without a subject names its TPM here
  '2.5.29.19', // basicConstraints
  '2.5.29.30', // nameConstraints
  '2.5.29.32', // certificatePolicies
  '2.5.29.35', // authorityKeyIdentifier
  '2.5.29.37', // extKeyUsage
])

/** Whether `holds` is true for each pair of neighbours. */
function eachLink(
  { path }: PathCase,
  holds: (subject: PathCertificate, issuer: PathCertificate, below: number) => boolean,
): boolean {
  return path.slice(1).every((issuer, at) => {
    const subject = path[at]
    return subject !== undefined && holds(subject, issuer, at)
  })
}

/** Earlier results: the authorities of a store are the same for each certificate. */
const SIGNED = new WeakMap<PathCertificate, WeakMap<PathCertificate, boolean>>()

function isSignedBy(subject: PathCertificate, issuer: PathCertificate): boolean {
  const known = SIGNED.get(subject) ?? new WeakMap<PathCertificate, boolean>()
  const isSigned = known.get(issuer) ?? subject.certificate.verify(issuer.certificate.publicKey)
  SIGNED.set(subject, known.set(issuer, isSigned))
  return isSigned
}

/** Whether the names below an authority are its to give; one that renews itself is not below itself (RFC 5280, 6.1.3). */
function mayNameAll({ read }: PathCertificate, below: readonly PathCertificate[]): boolean {
  const { nameConstraints } = read
  if (nameConstraints === undefined) return true
  return below.every(
    (each, at) => (at > 0 && isSelfIssued(each)) || mayName(nameConstraints, namesOf(each.read)),
  )
}

function isSelfIssued({ certificate: { subject, issuer } }: PathCertificate): boolean {
  return subject === issuer
}

/** Checks of a path, in the order of their reports (RFC 5280, 6.1). */
export const pathChecks: readonly PathCheck[] = [
  {
    id: 'path.signature',
    why: 'an attacker can put the name of a maker into a certificate',
    problem: (subject) =>
      eachLink(subject, isSignedBy) ? undefined : 'is not signed by the authority that it names',
  },
  {
    id: 'path.dates',
    why: 'the issuer vouches for the key only during the validity of the certificate',
    problem: ({ path, now }) =>
      path.every(({ read }) => read.notBefore <= now && now <= read.notAfter)
        ? undefined
        : 'is not valid at this time, or an authority above it is not',
  },
  {
    id: 'path.authority',
    why: 'an ordinary certificate would make its holder a maker of TPMs',
    problem: (subject) =>
      eachLink(subject, (_, issuer) => issuer.read.constraints?.ca === true)
        ? undefined
        : 'was issued by a certificate that is not one of an authority',
  },
  {
    id: 'path.length',
    why: 'an authority that may only issue to ends would make other authorities',
    problem: (subject) =>
      eachLink(subject, (_, { read }, below) => below <= (read.constraints?.pathLength ?? below))
        ? undefined
        : 'has more authorities above it than one of them allows',
  },
  {
    id: 'path.names',
    why: 'an authority for the TPMs of one maker would vouch for those of all',
    problem: (subject) =>
      eachLink(subject, (_, issuer, below) => mayNameAll(issuer, subject.path.slice(0, below + 1)))
        ? undefined
        : 'has a name that an authority above it may not give',
  },
  {
    id: 'path.critical',
    why: 'an unknown critical extension may restrict the certificate to another purpose',
    problem: ({ path }) => {
      const unknown = path
        .flatMap(({ read }) => read.critical)
        .find((id) => !KNOWN_CRITICAL.has(id))
      return unknown && `has the critical extension ${unknown}, which is not known here`
    },
  },
  {
    id: 'path.usage',
    why: 'a certificate for another purpose vouches for no such key',
    problem: ({ path: [first], usage }) =>
      usage === undefined || (first?.read.usages?.includes(usage) ?? true)
        ? undefined
        : `is for another purpose than ${usage}`,
  },
]

interface PathRequest extends Omit<PathCase, 'path'> {
  readonly certificate: PathCertificate
  /** The trusted roots and the intermediate certificates. */
  readonly store: readonly PathCertificate[]
  readonly checks: readonly PathCheck[]
}

/** Authorities on a path, and paths that are tried: more than any maker of TPMs has. */
const MAX_AUTHORITIES = 8
const MAX_PATHS = 16

/**
 * What keeps a certificate from being trusted; undefined when one path from it to the store has no problem. A
 * certificate of the store ends a path when it issued itself, or when its issuer is not in the store: an
 * operator who adds it alone trusts it as it is.
 */
export function checkPath({
  certificate,
  store,
  checks,
  ...rest
}: PathRequest): string | undefined {
  const problems = pathsFrom([certificate], store).map((path) =>
    checks.map((check) => check.problem({ ...rest, path })).find((problem) => problem),
  )
  if (problems.includes(undefined)) return undefined
  return problems[0] ?? 'has no issuer in the certificate store'
}

function pathsFrom(
  path: readonly PathCertificate[],
  store: readonly PathCertificate[],
): readonly (readonly PathCertificate[])[] {
  const last = path.at(-1)
  const issuers = last === undefined ? [] : issuersOf(last, store)
  const isEnd = path.length > 1 && (issuers.length === 0 || issuers.some((one) => one === last))
  const others = issuers.filter((issuer) => !path.includes(issuer))
  const longer =
    path.length > MAX_AUTHORITIES ? [] : others.flatMap((each) => pathsFrom([...path, each], store))
  return [...(isEnd ? [path] : []), ...longer].slice(0, MAX_PATHS)
}

/** By names, key identifiers and key usage; a signature is another question. */
function issuersOf(
  { certificate }: PathCertificate,
  store: readonly PathCertificate[],
): readonly PathCertificate[] {
  return store.filter((issuer) => certificate.checkIssued(issuer.certificate))
}
