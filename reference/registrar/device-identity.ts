import type { KeyObject } from 'node:crypto'
import { fromBase64 } from '../bytes/base64.ts'
import { TPMS_ATTEST } from '../tpm/attest.ts'
import { type KeyCheck, keyProblems } from '../tpm/check-attestation-key.ts'
import { decode } from '../tpm/codec.ts'
import { nameOf } from '../tpm/name.ts'
import { TPM2B_PUBLIC } from '../tpm/public.ts'
import { publicKeyOf } from '../tpm/public-key.ts'
import { TPMT_SIGNATURE } from '../tpm/signature.ts'
import type { CertificationCheck } from './certification-checks.ts'
import { type CertificateParts, checkCertificate, type PathRules } from './check-certificate.ts'
import { parseKeyCertificate } from './key-certificate.ts'
import { readMember, refuse } from './refuse.ts'
import type { RegistrationRequest } from './registration-shape.ts'

type Member = 'iak_tpm' | 'iak_cert' | 'idevid_tpm' | 'idevid_cert' | 'iak_attest' | 'iak_sign'
type Members = Pick<RegistrationRequest, Member | 'aik_tpm'>

const PAIRS: readonly (readonly [Member, Member])[] = [
  ['iak_tpm', 'iak_cert'],
  ['idevid_tpm', 'idevid_cert'],
  ['iak_attest', 'iak_sign'],
  ['iak_tpm', 'iak_attest'],
]

/** The missing member of an incomplete pair; one half proves nothing. */
export function missingHalf(members: Partial<Members>): Member | undefined {
  for (const [one, other] of PAIRS) {
    if (members[one] && !members[other]) return other
    if (members[other] && !members[one]) return one
  }
  return undefined
}

/** Rules for the keys that identify a device. */
export interface DeviceRules extends PathRules {
  readonly attestationKeyChecks: readonly KeyCheck[]
  readonly certificationChecks: readonly CertificationCheck[]
  readonly missingHalf: typeof missingHalf
  /** Whether the submitted key is the one in the certificate. */
  isCertified(submitted: KeyObject, certified: KeyObject): boolean
}

interface DeviceParts extends CertificateParts {
  readonly rules: DeviceRules
}

/**
 * Checks the device identity of a registration: an IAK that certifies the AIK, an IDevID, and the certificates of
 * both (TCG TPM 2.0 Keys for Device Identity and Attestation). The interface document does not know these members;
 * upstream's agents send them. They are checked and not stored, as no other request needs them.
 *
 * @returns which of the two are present; both are refused without a store for their issuers
 */
export function checkDeviceIdentity(
  agentId: string,
  members: Members,
  parts: DeviceParts,
): { readonly iak: boolean; readonly idevid: boolean } {
  const missing = parts.rules.missingHalf(members)
  if (missing !== undefined)
    throw refuse(missing, 'is missing: the other half of its pair is there')
  const { attestationKeyChecks: checks } = parts.rules
  const iak = loadDeviceKey(members, 'iak', checks, parts)
  const idevid = loadDeviceKey(members, 'idevid', checks.filter(isForAnySigner), parts)
  if (iak !== undefined) checkCertification(agentId, members, iak, parts)
  return { iak: iak !== undefined, idevid: idevid !== undefined }
}

/** An IDevID is a general signing key: it need be neither restricted nor bound to a scheme. */
function isForAnySigner({ id }: KeyCheck): boolean {
  return id !== 'ak.restricted' && id !== 'ak.scheme'
}

function loadDeviceKey(
  members: Members,
  which: 'iak' | 'idevid',
  checks: readonly KeyCheck[],
  parts: DeviceParts,
): KeyObject | undefined {
  const [area, certificate] = [members[`${which}_tpm`], members[`${which}_cert`]]
  if (!area || !certificate) return undefined
  const key = readDeviceKey(`${which}_tpm`, area, checks)
  const member = `${which}_cert`
  const read = parseKeyCertificate(certificate, member)
  if (!parts.rules.isCertified(key, read.key))
    throw refuse(`${which}_tpm`, `is not the key of ${member}`)
  if (parts.certificates.store === undefined)
    throw refuse(member, 'its issuer cannot be verified: this registrar has no tpm_cert_store')
  checkCertificate({ certificate: read.certificate, member, usage: undefined, asked: [] }, parts)
  return key
}

function readDeviceKey(member: string, text: string, checks: readonly KeyCheck[]): KeyObject {
  const { contents } = readMember(member, () => decode(TPM2B_PUBLIC, fromBase64(text, member)))
  const [problem] = keyProblems(contents, checks)
  if (problem !== undefined) throw refuse(member, problem.message)
  return readMember(member, () => publicKeyOf(contents))
}

function checkCertification(
  agentId: string,
  { aik_tpm, iak_attest, iak_sign }: Members,
  iak: KeyObject,
  { rules }: DeviceParts,
): void {
  if (!iak_attest || !iak_sign) return
  const message = readMember('iak_attest', () => fromBase64(iak_attest, 'iak_attest'))
  const certification = {
    agentId,
    aikName: readMember('aik_tpm', () => nameOf(fromBase64(aik_tpm, 'aik_tpm'))),
    iak,
    message,
    attest: readMember('iak_attest', () => decode(TPMS_ATTEST, message)),
    signature: readMember('iak_sign', () =>
      decode(TPMT_SIGNATURE, fromBase64(iak_sign, 'iak_sign')),
    ),
  }
  for (const check of rules.certificationChecks) {
    const problem = check.problem(certification)
    if (problem !== undefined) throw refuse('iak_attest', problem)
  }
}
