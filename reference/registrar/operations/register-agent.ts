import { createHmac } from 'node:crypto'
import { bodyParser } from '../../api/bodies/parse-body.ts'
import type { Call, Handler } from '../../api/call.ts'
import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import { ApiError } from '../../errors.ts'
import type { Random } from '../../platform/random.ts'
import type { RegistrationRow } from '../../storage/databases/database.ts'
import { checkAttestationKey, type KeyCheck } from '../../tpm/check-attestation-key.ts'
import { makeCredential } from '../../tpm/make-credential.ts'
import { nameOf } from '../../tpm/name.ts'
import { checkCertificate, checkPresence, EK_CERTIFICATE } from '../check-certificate.ts'
import { type Contact, parseContact } from '../contact.ts'
import { checkDeviceIdentity } from '../device-identity.ts'
import { type EndorsementKey, loadEndorsementKey } from '../load-endorsement-key.ts'
import { readMember, refuse } from '../refuse.ts'
import type { RegistrarParts } from '../registrar-parts.ts'
import {
  type RegistrationRequest as Registration,
  RegistrationRequest,
} from '../registration-shape.ts'

const parseRequest = bodyParser(RegistrationRequest, 'malformed_request')

/**
 * Registration: answers with a credential blob that only the TPM holding the EK opens, and only
 * in addition to the AIK. Another TPM cannot take the id of an activated record (CVE-2025-13609), and a replayed
 * registration leaves such a record active and as it is. A record that was not activated proves nothing: it gives
 * way to another TPM, whose challenge then is the only one that activates (ambiguity UNACTIVATED).
 */
export function registerAgent(parts: RegistrarParts): Handler {
  return async (call) => {
    const request = parseRequest(call.body)
    const agentId = parts.rules.checkId(idOf(call, request))
    const key = loadEndorsementKey(request, parts.rules)
    checkIdentity(agentId, request, key, parts)
    const contact = parseContact(request, key.ekcert)
    const { blob, tag } = seal(
      parts.random,
      agentId,
      key,
      readAik(request.aik_tpm, parts.rules.attestationKeyChecks),
    )
    const offered = { ...key, aik_tpm: request.aik_tpm }
    await parts.store.change(agentId, (present) => {
      const isKnown = present !== undefined && parts.rules.isSameTpm(present, offered)
      if (present?.active === 1 && !isKnown) throw identityTaken()
      const accepted = { agentId, aik_tpm: request.aik_tpm, key, contact, tag }
      return nextRow(accepted, isKnown ? present : undefined)
    })
    return { body: { blob } }
  }
}

/** Checks the certificates of a registration, and that the required ones are present. */
function checkIdentity(
  agentId: string,
  request: Registration,
  { certificate }: EndorsementKey,
  parts: RegistrarParts,
): void {
  const ekcert = certificate !== undefined
  if (ekcert) {
    const asked = parts.rules.ekChecks
    checkCertificate({ certificate, member: 'ekcert', usage: EK_CERTIFICATE, asked }, parts)
  }
  const device = checkDeviceIdentity(agentId, request, parts)
  checkPresence({ ekcert, ...device }, parts.certificates)
}

/** The path names the agent in 2.x, the body does in 3.0; where both do, they name the same one. */
function idOf({ params: { agent_id } }: Call, request: Registration): string {
  const id = agent_id ?? request.agent_id
  if (id === undefined) throw refuse('agent_id', 'is missing')
  if (id === (request.agent_id ?? id)) return id
  throw refuse('agent_id', 'is not the one in the path')
}

function readAik(text: string, checks: readonly KeyCheck[]): Uint8Array {
  const aik = readMember('aik_tpm', () => fromBase64(text, 'aik_tpm'))
  const [problem] = checkAttestationKey(aik, checks)
  if (problem !== undefined) throw refuse('aik_tpm', problem.message)
  return aik
}

/** A 32-character secret in the blob; the agent returns its HMAC over the agent id (ambiguity AUTHTAG). */
function seal(
  random: Random,
  agentId: string,
  key: EndorsementKey,
  aik: Uint8Array,
): { blob: string; tag: string } {
  const secret = new TextEncoder().encode(Buffer.from(random.bytes(16)).toString('hex'))
  const name = readMember('aik_tpm', () => nameOf(aik))
  const blob = readMember('ek_tpm', () =>
    makeCredential({
      ekPublic: key.area,
      name,
      secret,
      random: (length) => random.bytes(length),
    }),
  )
  const tag = createHmac('sha384', toBase64(secret)).update(agentId).digest('hex')
  return { blob: toBase64(blob), tag }
}

function identityTaken(): ApiError {
  return new ApiError(
    'identity_taken',
    'Agent re-registration with different TPM identity is forbidden for security reasons',
  )
}

interface Accepted {
  readonly agentId: string
  readonly aik_tpm: string
  readonly key: EndorsementKey
  readonly contact: Contact
  readonly tag: string
}

/**
 * A new record holds everything at once and is inactive. In an active one the contact only waits: who
 * knows the public keys of an agent can register it again, but cannot activate that registration.
 */
function nextRow(
  { agentId, aik_tpm, key, tag, ...sent }: Accepted,
  present: RegistrationRow | undefined,
): RegistrationRow {
  const contact = { ...sent.contact, ekcert: key.ekcert ?? present?.ekcert ?? null }
  const regcount = (present?.regcount ?? 0) + 1
  if (present?.active === 1) {
    return { ...present, regcount, expected_tag: tag, pending: JSON.stringify(contact) }
  }
  return {
    agent_id: agentId,
    ek_tpm: key.ek_tpm,
    aik_tpm,
    ...contact,
    regcount,
    active: 0,
    expected_tag: tag,
    pending: null,
  }
}
