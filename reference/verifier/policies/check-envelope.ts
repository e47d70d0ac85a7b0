import type { KeyObject } from 'node:crypto'
import { ApiError } from '../../errors.ts'
import {
  carriedKeys,
  type Envelope,
  isEnvelope,
  isSignedBy,
  readEnvelope,
} from '../../evidence/ima/policy/dsse.ts'
import { isObject } from '../../evidence/ima/policy/policy-shape.ts'
import { PolicyError } from '../../evidence/policy-error.ts'
import { unreadable } from '../shapes/read-member.ts'

/** Part of every envelope: the name of its payload, or an escape that may encode it. */
const MARKS = ['payload', '\\u'] as const

/**
 * The envelope in a policy's bytes, or undefined for any other content, which other checks report. A
 * policy of 20 MB is not read as JSON for this, but where it has the word that an envelope has.
 */
export function envelopeIn(policy: Uint8Array): Envelope | undefined {
  const bytes = Buffer.from(policy.buffer, policy.byteOffset, policy.byteLength)
  if (!MARKS.some((mark) => bytes.includes(mark))) return undefined
  // As the policy itself is decoded: a byte order mark is no part of the text.
  const root = parse(new TextDecoder().decode(policy))
  if (!isObject(root) || !isEnvelope(root)) return undefined
  try {
    return readEnvelope(root)
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error
    throw unreadable('runtime_policy', error)
  }
}

/**
 * Refuses an envelope that is not signed by the key, or without a key by one of the certificates it carries. Those say
 * that the policy was not changed since, and not who made it.
 */
export function checkEnvelope(envelope: Envelope, key: KeyObject | undefined): void {
  const keys = key ? [key] : carriedKeys(envelope)
  if (keys.length === 0)
    throw refuse(
      'runtime_policy_key',
      'the envelope of the policy carries no certificate, so the key is needed',
    )
  if (!isSignedBy(envelope, keys))
    throw refuse(
      'runtime_policy',
      'no signature of the envelope is by this key (ECDSA with SHA-256)',
    )
}

/**
 * Refuses an envelope without a configured key, unless it carries its signer's certificate.
 *
 * @throws {PolicyError} at its signatures
 */
export function checkCarriedSignature(envelope: Envelope): void {
  const keys = carriedKeys(envelope)
  if (keys.length === 0)
    throw new PolicyError(
      'signatures',
      'the envelope carries no certificate to check it by; send it with one, or the policy without the envelope',
    )
  if (!isSignedBy(envelope, keys))
    throw new PolicyError('signatures', 'none is by a certificate that the envelope carries')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refuse(member: string, detail: string): ApiError {
  return new ApiError('not_authenticated', `${member}: ${detail}`, { pointer: `/${member}` })
}
