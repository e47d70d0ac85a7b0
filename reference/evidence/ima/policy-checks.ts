import { type Finding, finding } from '../findings.ts'
import { BOOT_AGGREGATE, type ImaEntryCase, isReadEntry, type ReadEntry } from './entry-case.ts'
import type { DigestSet } from './list/digest-set.ts'
import type { ImaContent } from './list/fields.ts'
import { readMeasuredKey } from './measured-key.ts'
import type { RuntimePolicy } from './policy/runtime-policy.ts'

/**
 * Whether the policy lets an entry pass: its digest is listed, its path is excluded, or the file has a trusted
 * signature. One of them is enough, so the cheapest is checked first.
 */
export function checkPolicy(subject: ImaEntryCase): Finding | undefined {
  const { item, policy } = subject
  if (!policy || !isReadEntry(item)) return undefined
  const allowed = allowedFor(subject, item.content, policy)
  if (allowed === 'anything' || isListed(item.content, allowed)) return undefined
  if (policy.excludes(item.content.name)) return undefined
  const signature = signatureOf(subject, item.content)
  return signature?.kind === 'good' ? undefined : refuse(item, allowed, signature?.why)
}

/** Whether a file that is neither listed nor excluded has a wrong signature of a trusted key. */
export function checkSignature(subject: ImaEntryCase): Finding | undefined {
  const { item, policy } = subject
  if (!policy || !isReadEntry(item) || item.content.signature === undefined) return undefined
  const { content, number } = item
  if (isListed(content, allowedFor(subject, content, policy)) || policy.excludes(content.name))
    return undefined
  const verdict = signatureOf(subject, content)
  return verdict?.kind === 'bad'
    ? finding(
        'ima.validator.ima-sig.invalid_signature',
        `entry ${number}: ${JSON.stringify(content.name)}: ${verdict.why}`,
        { path: content.name },
      )
    : undefined
}

function signatureOf({ signers }: ImaEntryCase, content: ImaContent) {
  const { signature, buffer } = content
  if (signature === undefined || buffer !== undefined) return undefined
  return signers.verify(content, signature)
}

type Allowed = DigestSet | undefined

function isListed({ digest, exactName }: ImaContent, allowed: Allowed | 'anything'): boolean {
  return allowed !== 'anything' && exactName && allowed?.has(digest.hex) === true
}

/** Digests that an entry may have: those of its path, of its keyring, or of its label. */
function allowedFor(
  { bootAggregates }: ImaEntryCase,
  content: ImaContent,
  policy: RuntimePolicy,
): Allowed | 'anything' {
  const { name, buffer } = content
  if (buffer !== undefined) return allowedForBuffer(name, buffer, policy)
  const listed = policy.digests.get(name)
  if (name !== BOOT_AGGREGATE || bootAggregates.size === 0) return listed
  return new Set([...(listed ?? []), ...bootAggregates])
}

/** A measured buffer is a key that was added to a keyring, or critical data with a label. */
function allowedForBuffer(
  name: string,
  buffer: Uint8Array,
  policy: RuntimePolicy,
): Allowed | 'anything' {
  if (!readMeasuredKey(buffer)) return policy.imaBuf.get(name)
  return isIgnored(policy, name) ? 'anything' : policy.keyrings.get(name)
}

/** Whether keys of a keyring are not checked, and therefore not trusted either. */
export function isIgnored({ ignoredKeyrings }: RuntimePolicy, keyring: string): boolean {
  return ignoredKeyrings.has('*') || ignoredKeyrings.has(keyring)
}

function refuse(item: ReadEntry, allowed: Allowed, signature: string | undefined): Finding {
  const { digest, name, exactName } = item.content
  const place = `entry ${item.number}: ${JSON.stringify(name)}`
  const got = `${digest.algorithm}:${digest.hex}`
  const details = { path: name, got, ...(signature !== undefined && { signature }) }
  if (!allowed || !exactName)
    return finding(
      'ima.validation.*.not_in_allowlist',
      `${place} is not in the runtime policy`,
      details,
      item.template,
    )
  return finding(
    'ima.validation.*.runtime_policy_hash',
    `${place} is ${got}, which the runtime policy does not list`,
    { ...details, expected: [...allowed].slice(0, 8) },
    item.template,
  )
}
