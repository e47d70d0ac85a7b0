import { equalBytes } from '../../bytes/equal.ts'
import { toHex } from '../../bytes/hex.ts'
import { hashById } from '../../tpm/algorithms.ts'
import { type Attest, TPM_ST_ATTEST_CERTIFY, TPMS_ATTEST } from '../../tpm/attest.ts'
import { type Attempt, attempt } from '../../tpm/codec.ts'
import { acceptsKey, keyAlgorithm } from '../../tpm/key-algorithm.ts'
import { nameOfReceived } from '../../tpm/name.ts'
import { type Signature, TPMT_SIGNATURE } from '../../tpm/signature.ts'
import { verifySignature } from '../../tpm/verify-signature.ts'
import { type Check, runChecks } from '../check.ts'
import { type Finding, finding } from '../findings.ts'
import { magicCheck, structureCheck } from './attest-checks.ts'
import { type AttestationKey, type Read, readAttestationKey } from './read-attestation-key.ts'

/** A session proof: the attestation key certifies itself (TPM2_Certify) over the session challenge. */
export interface PossessionProof {
  /** TPM2B_PUBLIC of the enrolled attestation key */
  readonly attestationKey: Uint8Array
  /** raw bytes of the challenge, not its base64 text */
  readonly challenge: Uint8Array
  /** TPMS_ATTEST, without size prefix */
  readonly message: Uint8Array
  /** TPMT_SIGNATURE */
  readonly signature: Uint8Array
  /** The accepted algorithms of the agent, by wire name; if absent, all that can be verified. */
  readonly accepted?: AcceptedAlgorithms
}

interface AcceptedAlgorithms {
  readonly hashes: readonly string[]
  readonly keys: readonly string[]
  readonly schemes: readonly string[]
}

/** The input of possession checks: each received part, parsed as far as possible. */
export interface PossessionCase {
  readonly proof: PossessionProof
  readonly key: Read<AttestationKey>
  readonly attest: Attempt<Attest>
  readonly signature: Attempt<Signature>
}

function invalid(message: string): Finding {
  return finding('possession.invalid_proof', message)
}

/** The checks of a session proof, in this order. */
export const possessionChecks: readonly Check<PossessionCase>[] = [
  structureCheck(
    'possession.structure',
    ({ key, attest, signature }) => [key, attest, signature],
    invalid,
  ),
  magicCheck('possession.magic', invalid),
  {
    id: 'possession.type',
    why: 'a quote made for an attestation must not open a session',
    run: ({ attest: { value } }) =>
      value && value.type !== TPM_ST_ATTEST_CERTIFY
        ? invalid(
            `TPMS_ATTEST.type at byte 4: expected a certification (0x8017), got ${value.attested.kind}`,
          )
        : undefined,
  },
  {
    id: 'possession.challenge',
    why: 'a proof over an old challenge is a replay',
    run: ({ attest: { value }, proof }) =>
      value && !answers(value.extraData, proof.challenge)
        ? invalid('TPMS_ATTEST.extraData is not the challenge of this session')
        : undefined,
  },
  {
    id: 'possession.name',
    why: 'a certification of another key does not show that the enrolled one is here',
    run: checkName,
  },
  {
    id: 'possession.algorithms',
    why: 'an algorithm that is not accepted of an agent would open its sessions all the same',
    run: checkAlgorithms,
  },
  {
    id: 'possession.signature',
    why: 'without a valid signature an attacker may have written the rest',
    run: checkSignature,
  },
]

/** Checks a session proof; no findings mean that the agent holds the key and the proof is fresh. */
export function checkPossession(
  proof: PossessionProof,
  checks: readonly Check<PossessionCase>[] = possessionChecks,
): readonly Finding[] {
  const subject: PossessionCase = {
    proof,
    key: readAttestationKey(proof.attestationKey),
    attest: attempt(TPMS_ATTEST, proof.message),
    signature: attempt(TPMT_SIGNATURE, proof.signature),
  }
  const findings = runChecks(checks, subject)
  const readable = subject.key.value && subject.attest.value && subject.signature.value
  // Only with checks taken out of the list can this be reached; then nothing is still not a proof.
  return findings.length > 0 || readable ? findings : [invalid('the proof cannot be read')]
}

function answers(extraData: Uint8Array, challenge: Uint8Array): boolean {
  return challenge.length > 0 && equalBytes(extraData, challenge)
}

function checkName({ key, attest }: PossessionCase): Finding | undefined {
  const attested = attest.value?.attested
  if (!key.value || attested?.kind !== 'certify') return undefined
  if (!hashById(key.value.area.nameAlg)?.digest)
    return invalid('the attestation key has no Name that can be computed')
  const name = nameOfReceived({ bytes: key.value.received, contents: key.value.area })
  return equalBytes(name, attested.value.name)
    ? undefined
    : invalid(
        `the certified Name is ${toHex(attested.value.name)}, the enrolled key's is ${toHex(name)}`,
      )
}

function checkAlgorithms({ key, signature, proof }: PossessionCase): Finding | undefined {
  const { accepted } = proof
  if (!key.value || !signature.value || !accepted) return undefined
  const { kind, value } = signature.value
  const hash = hashById(value.hash)?.name ?? `0x${value.hash.toString(16)}`
  if (!accepted.hashes.includes(hash)) return invalid(`hash ${hash} is not accepted for this agent`)
  if (!accepted.schemes.includes(kind))
    return invalid(`scheme ${kind} is not accepted for this agent`)
  return acceptsKey(accepted.keys, key.value.area)
    ? undefined
    : invalid(`a key of ${keyAlgorithm(key.value.area)} is not accepted for this agent`)
}

function checkSignature({ key, signature, proof }: PossessionCase): Finding | undefined {
  if (!key.value || !signature.value) return undefined
  const outcome = verifySignature(key.value.key, signature.value, proof.message)
  return outcome.ok ? undefined : invalid(outcome.why)
}
