import { describe, expect, test } from 'vitest'
import { checkPath, pathChecks } from '../../pki/check-path.ts'
import { readPathCertificate } from '../../pki/path-certificate.ts'
import { parseCertificate } from '../ek-certificate/parse-certificate.ts'
import { absent, absentFolder, real, WHY_SKIPPED } from '../testing/real-data.ts'
import { presentClaims } from './claims.ts'
import { type AttestationReport, parseReport } from './report.ts'
import { reportChecks } from './report-checks.ts'
import { readVcek } from './vcek.ts'

const PEM = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END/g

function certificatesIn(file: string): readonly Uint8Array[] {
  const text = Buffer.from(real(file)).toString('latin1')
  return [...text.matchAll(PEM)].map(([, der = '']) => new Uint8Array(Buffer.from(der, 'base64')))
}

/** Failures of a report, as far as they do not depend on its maker and on the nonce. */
function failuresOf(report: AttestationReport, certificate: Uint8Array | undefined) {
  const vcek = readVcek(parseCertificate(certificate ?? new Uint8Array()))
  const expected = { untrusted: undefined, reportData: [report.REPORT_DATA], allowDebug: false }
  const found = reportChecks.map((check) => check.run({ report, vcek, ...expected })?.type)
  return found.filter((type) => type !== undefined)
}

/** What keeps a certificate from being trusted where its maker is. */
function problemOf(certificate: Uint8Array | undefined, maker: readonly Uint8Array[]) {
  return checkPath({
    certificate: readPathCertificate(certificate ?? new Uint8Array()),
    store: maker.map(readPathCertificate),
    ...{ now: Date.UTC(2026, 0), usage: undefined, checks: pathChecks },
  })
}

describe.skipIf(absent)(`a real report${WHY_SKIPPED}`, () => {
  const folder = 'azure-cvm-tooling/az-cvm-vtpm/test'
  /** A header of 32 bytes is before the report. */
  const report = () => parseReport(real(`${folder}/hcl-report-snp.bin`).subarray(32, 32 + 1184))
  const certificates = () => certificatesIn(`${folder}/certs.pem`)

  test('claims what it says', () => {
    expect(presentClaims(report())).toMatchObject({
      ...{ reported_tcb_bootloader: 3, reported_tcb_tee: 0 },
      ...{ reported_tcb_snp: 8, reported_tcb_microcode: 115 },
      ...{ policy_abi_major: 0, policy_abi_minor: 31, policy_smt_allowed: true },
      ...{ policy_debug_allowed: false, policy_migrate_ma: false, policy_single_socket: false },
    })
  })

  test('is not of the chip whose certificate is next to it, which has the same firmware', () => {
    const failures = ['tee_attestation.invalid_signature', 'tee_attestation.invalid_chip_id']
    expect(failuresOf(report(), certificates()[0])).toEqual(failures)
  })

  test('has next to it a chain of certificates to a root', () => {
    const [leaf, ...maker] = certificates()
    expect([problemOf(leaf, maker), problemOf(leaf, [])]).toEqual([
      undefined,
      'has no issuer in the certificate store',
    ])
  })
})

const GUEST = 'go-sev-guest/verify/testdata'
const isAbsent = absentFolder('go-sev-guest')

describe.skipIf(isAbsent)('a real report with its certificate', () => {
  const report = () => parseReport(real(`${GUEST}/attestation.bin`))

  test('is signed by the key of its chip, and of a guest that may be debugged', () => {
    const vcek = real(`${GUEST}/vcek.testcer`)
    expect(failuresOf(report(), vcek)).toEqual(['tee_attestation.policy_debug'])
    expect(problemOf(vcek, certificatesIn(`${GUEST}/milan.testcer`))).toBeUndefined()
  })

  test('is signed over each of its bytes', () => {
    const { signed, ...rest } = report()
    const changed = signed.map((byte, at) => (at === signed.length - 1 ? byte ^ 1 : byte))
    const failures = failuresOf({ ...rest, signed: changed }, real(`${GUEST}/vcek.testcer`))
    expect(failures).toContain('tee_attestation.invalid_signature')
  })
})
