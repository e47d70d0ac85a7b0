import { createPublicKey, X509Certificate } from 'node:crypto'
import type { Check } from '../check.ts'
import { type Finding, finding } from '../findings.ts'
import type { DigestSet, DigestTable } from './digest-set.ts'
import { hashMatches, type ImaEntry, type ImaItem, isViolation } from './entry.ts'
import type { ImaContent } from './fields.ts'
import { IMA_PCR } from './replay.ts'
import type { RuntimePolicy } from './runtime-policy.ts'

/** One item of a list beside what judges it. */
export interface ImaEntryCase {
  readonly item: ImaItem
  readonly policy: RuntimePolicy | undefined
  readonly ignoreTomtouErrors: boolean
  /** digests of `boot_aggregate` that follow from proven PCRs, in lower-case hex */
  readonly bootAggregates: ReadonlySet<string>
}

const MAX_EXCERPT = 120

/** What is verified of each item of a measurement list, in this order. */
export const imaEntryChecks: readonly Check<ImaEntryCase>[] = [
  {
    id: 'ima.entry',
    why: 'what cannot be read cannot be judged, and must not be skipped',
    run: ({ item }) =>
      item.kind === 'unreadable'
        ? finding('ima.parser.entry', `entry ${item.number}: ${item.why}`, {
            excerpt: excerpt(item.bytes),
          })
        : undefined,
  },
  {
    id: 'ima.entry-pcr',
    why: 'an entry for another PCR is not covered by the PCR that is replayed',
    run: ({ item }) =>
      item.kind === 'entry' && item.pcr !== IMA_PCR
        ? finding('ima.validation.ima_pcr', `entry ${item.number} is for PCR ${item.pcr}`)
        : undefined,
  },
  {
    id: 'ima.entry-hash',
    why: 'a template hash that is not that of the data shows a list that was edited',
    run: ({ item }) =>
      item.kind === 'entry' && !isViolation(item) && !hashMatches(item)
        ? finding(
            'ima.validation.ima_hash',
            `entry ${item.number}: the template hash is ${item.templateHash}, the data hash to ${item.dataHash}`,
          )
        : undefined,
  },
  {
    id: 'ima.entry-violation',
    why: 'a file that changed while it was measured may have been read as anything',
    run: ({ item, ignoreTomtouErrors }) =>
      item.kind === 'entry' && isViolation(item) && !ignoreTomtouErrors
        ? finding('ima.validation.tomtou', `entry ${item.number} is a violation${nameIn(item)}`)
        : undefined,
  },
  {
    id: 'ima.entry-template',
    why: 'an attacker must not choose a template that nobody judges',
    run: ({ item }) =>
      item.kind === 'entry' && !isViolation(item) && 'invalid' in item.content
        ? finding(
            'ima.validation.no_validator',
            `entry ${item.number} of template ${item.template}: ${item.content.invalid}`,
          )
        : undefined,
  },
  {
    id: 'ima.entry-policy',
    why: 'the policy names everything that may be loaded on this machine',
    run: checkPolicy,
  },
]

function checkPolicy(subject: ImaEntryCase): Finding | undefined {
  const { item, policy } = subject
  if (!policy || item.kind !== 'entry' || isViolation(item) || 'invalid' in item.content)
    return undefined
  const content = item.content
  if (policy.excludes(content.name)) return undefined
  if (content.buffer !== undefined) return checkBuffer(item, content, content.buffer, policy)
  return checkDigest(item, content, allowedFor(subject, content, policy.digests))
}

/** A measured buffer is a key that was added to a keyring, or critical data with a label. */
function checkBuffer(
  item: ImaEntry,
  content: ImaContent,
  buffer: Uint8Array,
  policy: RuntimePolicy,
): Finding | undefined {
  if (!isKey(buffer)) return checkDigest(item, content, policy.imaBuf.get(content.name))
  if (policy.ignoredKeyrings.has('*') || policy.ignoredKeyrings.has(content.name)) return undefined
  return checkDigest(item, content, policy.keyrings.get(content.name))
}

function allowedFor(
  { bootAggregates }: ImaEntryCase,
  { name }: ImaContent,
  digests: DigestTable,
): DigestSet | undefined {
  const listed = digests.get(name)
  if (name !== 'boot_aggregate' || bootAggregates.size === 0) return listed
  return new Set([...(listed ?? []), ...bootAggregates])
}

function checkDigest(
  item: ImaEntry,
  content: ImaContent,
  allowed: DigestSet | undefined,
): Finding | undefined {
  if (allowed?.has(content.digest.hex) && content.exactName) return undefined
  const place = `entry ${item.number}: ${JSON.stringify(content.name)}`
  const got = `${content.digest.algorithm}:${content.digest.hex}`
  if (!allowed || !content.exactName)
    return finding(
      'ima.validation.*.not_in_allowlist',
      `${place} is not in the runtime policy`,
      { path: content.name, got },
      item.template,
    )
  return finding(
    'ima.validation.*.runtime_policy_hash',
    `${place} is ${got}, which the runtime policy does not list`,
    { path: content.name, got, expected: [...allowed].slice(0, 8) },
    item.template,
  )
}

const DER_SEQUENCE = 0x30

function isKey(buffer: Uint8Array): boolean {
  if (buffer[0] !== DER_SEQUENCE) return false
  const der = Buffer.from(buffer)
  return (
    succeeds(() => new X509Certificate(der)) ||
    succeeds(() => createPublicKey({ key: der, format: 'der', type: 'spki' }))
  )
}

function succeeds(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    // Why OpenSSL refuses does not matter: what is not a key is judged as data.
    return false
  }
}

function nameIn({ content }: ImaEntry): string {
  return 'invalid' in content ? '' : ` of ${JSON.stringify(content.name)}`
}

function excerpt(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, MAX_EXCERPT)).toString('utf8')
}
