import type { CertificateDefect } from '../../../conformance/client/agents/ek-certificates.ts'

/** The part of certificate validation that rejects a certificate. */
type Part = 'the certificate itself' | 'its issuer' | 'names of its issuer' | 'above its issuer'

interface EkCertificateCell {
  readonly defect: CertificateDefect
  readonly says: string
  readonly part: Part
}

/** One way to validate EK certificates: the certificates of these parts are rejected, and those of no other. */
export interface Reading {
  readonly says: string
  readonly rejects: readonly Part[]
}

/** Cells that are validated in one of several ways. The first reading rejects all of them. */
export interface Family {
  /** Its readings may be mixed neither with each other nor with anything else. */
  readonly requirement: 'REG-EKCERT-PROFILE' | 'REG-EKCERT-PATH'
  /** Of registrars that validate the profile: they reject what the first reading rejects. */
  readonly strict: 'REG-EKCERT-PROFILE-JUDGED' | 'REG-EKCERT-PATH-VALIDATED'
  readonly readings: readonly [Reading, ...Reading[]]
  readonly cells: readonly EkCertificateCell[]
}

const PARTS: readonly Part[] = [
  'the certificate itself',
  'its issuer',
  'names of its issuer',
  'above its issuer',
]

const PATH: Family = {
  requirement: 'REG-EKCERT-PATH',
  strict: 'REG-EKCERT-PATH-VALIDATED',
  readings: [
    { says: 'validates the path to a self-signed certificate', rejects: PARTS },
    {
      says: 'takes each certificate of the store as a trust anchor that is validated too',
      rejects: ['the certificate itself', 'its issuer', 'names of its issuer'],
    },
    {
      says: 'takes each certificate of the store as a trust anchor with its name constraints (RFC 5937)',
      rejects: ['the certificate itself', 'names of its issuer'],
    },
    {
      says: 'takes each certificate of the store as a trust anchor without constraints',
      rejects: ['the certificate itself'],
    },
    { says: 'lets each certificate of the store issue any', rejects: [] },
  ],
  cells: [
    itself('unknown-critical', 'with an unknown critical extension'),
    itself('unknown-critical-of-standard', 'with an unknown critical extension of the arc 2.5.29'),
    issuer('no-authority', 'of an issuer that is not a CA'),
    issuer('no-constraints', 'of an issuer without basicConstraints and keyUsage'),
    issuer('issuer-expired', 'of an issuer that expired an hour ago'),
    issuer('issuer-not-yet-valid', 'of an issuer that is valid from in an hour'),
    issuer('issuer-critical', 'of an issuer with an unknown critical extension'),
    names('name-not-permitted', 'of an issuer with a name constraint for other TPMs'),
    names('self-issued-not-permitted', 'with the subject of its issuer, which is for other TPMs'),
    names('name-excluded', 'of an issuer that excludes this manufacturer'),
    names('name-excluded-in-capitals', 'of an issuer that excludes this manufacturer, in capitals'),
    names('model-not-permitted', 'of an issuer for another model'),
    names('subject-not-permitted', 'whose subject its issuer may not name'),
    names('other-name-not-permitted', 'whose alternative name its issuer may not name'),
    names('host-not-permitted', 'for badexample.com, of an issuer for example.com'),
    names('host-excluded', 'for SECRET.example.com, of an issuer that excludes it'),
    names('host-below-excluded', 'for a host below the one that its issuer excludes'),
    names('uri-excluded', 'for a URI on the host that its issuer excludes'),
    names('uri-of-domain-excluded', 'for a URI on a host of the domain that its issuer excludes'),
    names('mailbox-excluded', 'for a mailbox that its issuer excludes'),
    names('mailbox-of-host-excluded', 'for a mailbox of the host that its issuer excludes'),
    names('mailbox-of-host-not-permitted', 'for a mailbox on another host than that of its issuer'),
    names('number-excluded', 'for the registered number that its issuer excludes'),
    names('number-not-permitted', 'for a registered number that its issuer does not permit'),
    names('mailbox-not-permitted', 'for another mailbox than the one of its issuer'),
    names('mailbox-elsewhere', 'for the mailbox of its issuer on another host'),
    names('mailbox-in-subject', 'whose subject has another mailbox than the one of its issuer'),
    names('address-not-permitted', 'for an address outside the range of its issuer'),
    names('address-excluded', 'for an address that its issuer excludes'),
    above('path-too-long', 'of an issuer whose own issuer has a path length of 0'),
    above('name-not-permitted-above', 'of an issuer below one for other TPMs'),
    above('issuer-not-permitted', 'of an issuer whose name its own issuer does not permit'),
    above('no-authority-above', 'of an issuer below a certificate that is not a CA'),
    above('expired-above', 'of an issuer below an expired one'),
    above('critical-above', 'of an issuer below one with an unknown critical extension'),
    above('issuer-forged', 'of an issuer that another key signed'),
  ],
}

const VALIDATED: Reading = { says: 'validates this', rejects: PARTS }
const NOT_VALIDATED: Reading = { says: 'does not validate this', rejects: [] }

/** Each of these lists has an attribute that is validated or not. */
const PROFILE: readonly (readonly EkCertificateCell[])[] = [
  [
    itself('authority', 'that is a CA certificate'),
    itself('authority-with-length', 'that is a CA certificate with a path length'),
  ],
  [itself('signs-certificates', 'whose key may sign certificates')],
  [
    itself('signs-only', 'whose key may sign and not decrypt'),
    itself('encrypts-data-only', 'whose key may encrypt data and no keys'),
  ],
  [
    itself('other-use', 'for TLS clients'),
    itself('platform-use', 'for platforms'),
    itself('other-uses', 'for TLS clients and platforms'),
  ],
  [
    itself('sha1', 'that is signed over SHA-1'),
    itself('rsa-sha1', 'that an RSA key signed over SHA-1'),
  ],
  [itself('version-2', 'of version 2 of X.509')],
  [
    itself('two-makers', 'that names two makers'),
    itself('three-makers', 'that names three makers'),
    itself('two-makers-together', 'that names two makers in one relative name'),
    itself('second-name-other-maker', 'that names another maker in its second alternative name'),
  ],
  [itself('subject-other-maker', 'that names another maker in its subject')],
  [itself('use-twice', 'with an extension that occurs twice')],
]

/** The families of the matrix `ek-certificates`, in the order of the requests. */
export const ekCertificateFamilies: readonly Family[] = [
  ...PROFILE.map(
    (cells): Family => ({
      requirement: 'REG-EKCERT-PROFILE',
      strict: 'REG-EKCERT-PROFILE-JUDGED',
      readings: [VALIDATED, NOT_VALIDATED],
      cells,
    }),
  ),
  PATH,
  {
    ...PATH,
    readings: [VALIDATED, NOT_VALIDATED],
    cells: [itself('issuer-signs-data', 'of a CA whose key may not sign certificates')],
  },
]

function itself(defect: CertificateDefect, says: string): EkCertificateCell {
  return { defect, says, part: 'the certificate itself' }
}

function issuer(defect: CertificateDefect, says: string): EkCertificateCell {
  return { defect, says, part: 'its issuer' }
}

function names(defect: CertificateDefect, says: string): EkCertificateCell {
  return { defect, says, part: 'names of its issuer' }
}

function above(defect: CertificateDefect, says: string): EkCertificateCell {
  return { defect, says, part: 'above its issuer' }
}

/** The reading that fits these answers best, the first of several. Each part has the same weight, however many cells it has. */
export function closestReading(
  { readings, cells }: Family,
  rejected: ReadonlySet<string>,
): Reading {
  const [first, ...others] = readings
  const weightOf = (wanted: Part) => 1 / cells.filter(({ part }) => part === wanted).length
  const misses = ({ rejects }: Reading) =>
    cells
      .filter(({ defect, part }) => rejects.includes(part) !== rejected.has(defect))
      .reduce((sum, { part }) => sum + weightOf(part), 0)
  return others.reduce((best, next) => (misses(next) < misses(best) ? next : best), first)
}
