import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WireError } from '../bytes/wire-error.ts'
import { ekCertificateWith, MAKER } from '../evidence/testing/ek-certificates.ts'
import {
  commonName,
  der,
  extension,
  hex,
  IDS,
  sequence,
  validity,
  writeCertificate,
} from '../evidence/testing/write-certificate.ts'
import { checkPath, pathChecks } from './check-path.ts'
import { readPathCertificate } from './path-certificate.ts'

const EK = '2.23.133.8.1'
const AUTHORITY = [
  extension(IDS.constraints, sequence(hex('0101ff')), true),
  extension(IDS.keyUsage, hex('03020204'), true),
]

function authority(name: string, besides: readonly Uint8Array[] = []) {
  const names = { issuer: commonName(name), subject: commonName(name) }
  const extensions = [...AUTHORITY, ...besides]
  return readPathCertificate(
    writeCertificate(MAKER.spki, MAKER.privateKey, { ...names, extensions }),
  )
}

const onlyTpm = sequence(der(0xa0, sequence(der(0xa4, commonName('TPM')))))
/** The second one may name nothing but what begins with the common name TPM. */
const STORE = [
  authority('maker'),
  authority('narrow', [extension(IDS.nameConstraints, onlyTpm, true)]),
]
const NOON_OF_2027 = Date.UTC(2027, 0, 1, 12)

/** Whether a certificate is refused, by its reader or by the checks but the missing one. */
function isRefused(bytes: Uint8Array, missing: string | undefined, now = NOON_OF_2027): boolean {
  const checks = pathChecks.filter(({ id }) => id !== missing)
  try {
    const certificate = readPathCertificate(bytes)
    return checkPath({ certificate, store: STORE, now, usage: EK, checks }) !== undefined
  } catch (error) {
    if (error instanceof WireError || /^ERR_OSSL/.test(String(Object(error).code))) return true
    throw error
  }
}

const HONEST = ekCertificateWith()

function changedIsRefused(missing?: string) {
  return fc.property(fc.nat(HONEST.length - 1), fc.nat(7), (at, bit) => {
    const changed = HONEST.map((byte, index) => (index === at ? byte ^ (1 << bit) : byte))
    expect(isRefused(changed, missing)).toBe(true)
  })
}

const year = fc.integer({ min: 26, max: 48 })

function isForItsTimeOnly(missing?: string) {
  return fc.property(year, year, year, (from, to, now) => {
    const times = validity(`${from}0101000000Z`, `${to}1231235959Z`)
    const refused = isRefused(
      ekCertificateWith({ validity: times }),
      missing,
      Date.UTC(2000 + now, 6),
    )
    expect(refused).toBe(!(from <= now && now <= to))
  })
}

function namesAreItsMakers(missing?: string) {
  const words = fc.constantFrom('TPM', 'tpm', 'TPMs', 'maker', 'a TPM', 'TPM 2', 'X')
  return fc.property(words, (name) => {
    const certificate = ekCertificateWith({
      ...{ issuer: commonName('narrow'), subject: commonName(name) },
    })
    expect(isRefused(certificate, missing)).toBe(name.toLowerCase() !== 'tpm')
  })
}

const USAGES = {
  ek: '06056781050801',
  server: '06082b06010505070301',
  client: '06082b06010505070302',
  any: '0604551d2500',
}

function isForEndorsementKeys(missing?: string) {
  const some = fc.subarray(Object.values(USAGES), { minLength: 1 })
  return fc.property(some, (ids) => {
    const usages = extension(IDS.usages, sequence(...ids.map(hex)))
    const refused = isRefused(ekCertificateWith({ instead: { usages } }), missing)
    expect(refused).toBe(!ids.includes(USAGES.ek))
  })
}

test.each([
  ['path.signature', 'changed in a bit', changedIsRefused],
  ['path.dates', 'of another time', isForItsTimeOnly],
  ['path.names', 'with a name that its maker may not give', namesAreItsMakers],
  ['path.usage', 'for another purpose', isForEndorsementKeys],
] as const)(
  '%s: a certificate %s is refused, and is not without the check',
  (check, _, property) => {
    expect(pathChecks.map(({ id }) => id)).toContain(check)
    // Each builder has arguments of its own, which `assert` and `check` do not mind.
    const [held, broken] = [property(), property(check)] as readonly fc.IProperty<unknown>[]
    if (held === undefined || broken === undefined) throw new Error('no property')
    fc.assert(held, { numRuns: 400 })
    expect(fc.check(broken, { numRuns: 20_000, endOnFailure: true }).failed).toBe(true)
  },
)
