import { hash } from 'node:crypto'
import { hashByName } from '../../tpm/algorithms.ts'
import { type Finding, finding } from '../findings.ts'
import { type ImaEntryCase, isReadEntry } from './entry-case.ts'
import type { ImaItem } from './list/entry.ts'
import type { ImaContent } from './list/fields.ts'
import { readMeasuredKey } from './measured-key.ts'
import type { RuntimePolicy } from './policy/runtime-policy.ts'
import type { TrustedSigners } from './policy/trusted-signers.ts'
import { isIgnored } from './policy-checks.ts'

/** Hash of a buffer by the algorithm of its digest; undefined when it cannot be computed here. */
function bufferHash({ digest, buffer }: ImaContent): string | undefined {
  const name = hashByName(digest.algorithm)?.digest
  return name !== undefined && buffer !== undefined ? hash(name, buffer, 'hex') : undefined
}

/** Whether the digest of a buffer is its hash: the policy lists digests, and the buffer is the content in use. */
export function checkBufferHash({ item }: ImaEntryCase): Finding | undefined {
  if (!isReadEntry(item) || item.content.buffer === undefined) return undefined
  const { content, number } = item
  const hashed = bufferHash(content)
  if (hashed === content.digest.hex) return undefined
  const digest = `entry ${number}: the digest of ${JSON.stringify(content.name)}`
  return finding(
    'ima.validation.ima_hash',
    hashed === undefined
      ? `${digest} is by ${content.digest.algorithm}, which cannot be computed here`
      : `${digest} is ${content.digest.hex}, the buffer hashes to ${hashed}`,
  )
}

/** Whether a key that the policy lists is one that file signatures can be checked with. */
export function checkMeasuredKey({ item, policy }: ImaEntryCase): Finding | undefined {
  if (!policy || !isReadEntry(item) || !isListedKey(item.content, policy)) return undefined
  const { name, buffer } = item.content
  const key = buffer && readMeasuredKey(buffer)
  return key?.kind === 'unsupported'
    ? finding(
        'ima.invalid_key',
        `entry ${item.number}: keyring ${JSON.stringify(name)} got ${key.what}, which verifies no file signature`,
        { keyring: name },
      )
    : undefined
}

/** A key that a list taught, as the next list needs it; plain data but for the bytes. */
export interface LearnedKey {
  readonly keyring: string
  readonly algorithm: string
  /** lower-case hexadecimal */
  readonly digest: string
  /** base64 of the certificate or key */
  readonly buffer: string
}

/**
 * Trusts the key of an entry for file signatures from then on: a key whose digest the policy lists for its keyring.
 * Keys of ignored keyrings are neither checked nor learned. Otherwise the keyring makes no difference.
 *
 * @returns the key as {@link LearnedKey}, or undefined when nothing was learned
 */
export function learnKey(
  item: ImaItem,
  policy: RuntimePolicy | undefined,
  signers: TrustedSigners,
): LearnedKey | undefined {
  if (!policy || !isReadEntry(item) || item.content.buffer === undefined) return undefined
  const { name, digest, buffer } = item.content
  if (!learnFrom(item.content, policy, signers)) return undefined
  const { algorithm, hex } = digest
  return {
    keyring: name,
    algorithm,
    digest: hex,
    buffer: Buffer.from(buffer).toString('base64'),
  }
}

/** The same for a key that an earlier list taught; the policy may have changed since. */
export function learnAgain(
  key: LearnedKey,
  policy: RuntimePolicy,
  signers: TrustedSigners,
): boolean {
  const digest = { algorithm: key.algorithm, hex: key.digest }
  const buffer = Buffer.from(key.buffer, 'base64')
  return learnFrom({ name: key.keyring, exactName: true, digest, buffer }, policy, signers)
}

function learnFrom(content: ImaContent, policy: RuntimePolicy, signers: TrustedSigners): boolean {
  if (!isListedKey(content, policy) || bufferHash(content) !== content.digest.hex) return false
  const key = content.buffer && readMeasuredKey(content.buffer)
  return key?.kind === 'key' && signers.learn(key.id, key.key)
}

function isListedKey(content: ImaContent, policy: RuntimePolicy): boolean {
  const { name, exactName, digest, buffer } = content
  if (buffer === undefined || !exactName || isIgnored(policy, name)) return false
  return policy.keyrings.get(name)?.has(digest.hex) === true
}
