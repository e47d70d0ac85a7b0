import { X509Certificate } from 'node:crypto'
import { ekChecks } from '../../evidence/ek-certificate/ek-checks.ts'
import { parseEkCertificate } from '../../evidence/ek-certificate/parse-certificate.ts'
import { checkPath, pathChecks } from '../../pki/check-path.ts'
import {
  type PathCertificate,
  pathCertificateOf,
  readPathCertificate,
} from '../../pki/path-certificate.ts'
import { recorded } from '../../tpm/testing/recorded-boot.ts'
import { costs, type Row } from './measure.ts'

const NOW = Date.UTC(2027, 0, 1)
const USAGE = '2.23.133.8.1'
const BYTES = recorded('ekcert_1c00002.der')

const local = (name: string) =>
  readPathCertificate(new X509Certificate(recorded(`swtpm-localca-${name}.pem`)).raw)
const STORE = [local('issuercert'), local('rootca-cert')]

/** Everything that is asked of an EK certificate, up to its root. */
function checkAll(certificate: PathCertificate): void {
  const { read } = certificate
  const request = { certificate, store: STORE, now: NOW, usage: USAGE, checks: pathChecks }
  const problem = ekChecks.map((check) => check.problem(read)).find(Boolean) ?? checkPath(request)
  if (problem !== undefined) throw new Error(`the recorded certificate ${problem}`)
}

/** Costs of an EK certificate, compared with one verification of its signature. */
export function ekCertificateRows(): readonly Row[] {
  const certificate = new X509Certificate(BYTES)
  const issuer = STORE[0]?.certificate.publicKey
  if (issuer === undefined) throw new Error('there is no issuer')
  const verify = () => certificate.verify(issuer)
  const common = { unit: 'certificate', floor: 'one RSA verification' }
  return [
    {
      ...common,
      subject: 'EK certificate, read',
      ...costs(() => parseEkCertificate(BYTES), verify),
    },
    {
      ...common,
      subject: 'EK certificate and its path of two, from its bytes',
      ...costs(() => checkAll(readPathCertificate(BYTES)), verify),
    },
    {
      ...common,
      subject: 'the same where OpenSSL has read it, as in a registration',
      ...costs(() => checkAll(pathCertificateOf(certificate)), verify),
    },
  ]
}
