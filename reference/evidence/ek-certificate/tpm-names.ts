import type { Certificate } from './parse-certificate.ts'

/** The maker, model and version of a TPM (TCG EK Credential Profile, 3.2.9). */
interface TpmNames {
  /** `id:49465800` as it was written. */
  readonly manufacturer: string
  readonly model: string
  readonly version: string
}

const TYPES = {
  manufacturer: '2.23.133.2.1',
  model: '2.23.133.2.2',
  version: '2.23.133.2.3',
} as const

/**
 * Every value of each name in the alternative directory names; vendors write them into one relative name, or into one
 * each, and some into the subject.
 */
export function tpmNamesOf({
  subject,
  alternativeNames = [],
}: Pick<Certificate, 'subject' | 'alternativeNames'>): {
  readonly [Name in keyof TpmNames]: readonly string[]
} {
  const names = alternativeNames.flatMap((each) => (each.kind === 'directory' ? [each.name] : []))
  const attributes = [...names, subject].flat(2)
  const valuesOf = (wanted: string) => [
    ...new Set(attributes.flatMap(({ type, value }) => (type === wanted ? [value] : []))),
  ]
  return {
    manufacturer: valuesOf(TYPES.manufacturer),
    model: valuesOf(TYPES.model),
    version: valuesOf(TYPES.version),
  }
}

/** `IFX` of `id:49465800` (TCG Vendor ID Registry); undefined when it is no such number. */
export function vendorOf(manufacturer: string): string | undefined {
  const [, digits] = /^id:([0-9A-Fa-f]{8})$/.exec(manufacturer) ?? []
  if (digits === undefined) return undefined
  const text = Buffer.from(digits, 'hex')
    .toString('latin1')
    .replace(/[\0 ]+$/, '')
  return /^[\x21-\x7e]+$/.test(text) ? text : `0x${digits.toLowerCase()}`
}
