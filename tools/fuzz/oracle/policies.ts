import { at, listOf } from '../../../conformance/attempt/reply.ts'
import { type ImaEntry, isViolation } from '../../../simulator/ima/list.ts'
import { toHex } from '../../../simulator/tpm/write.ts'
import { objectOf } from './documents.ts'
import { matchesAtStart } from './expressions.ts'
import { isSignedFile } from './file-signatures.ts'

/** What an entry names, its digest, and what stands behind them: a signature, or a buffer. */
interface NamedEntry {
  readonly name: string
  readonly digest: string
  readonly extra: Uint8Array
}

function named({ fields: [head, name, extra] }: ImaEntry): NamedEntry {
  const bytes = name ?? new Uint8Array()
  const sized = head ?? new Uint8Array()
  return {
    name: new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0))),
    digest: toHex(sized.subarray(sized.indexOf(0) + 1)),
    extra: extra ?? new Uint8Array(),
  }
}

type Policy = Readonly<Record<string, unknown>>

function lists(digests: unknown, digest: string): boolean {
  return (listOf(digests) ?? []).some(
    (one) => typeof one === 'string' && one.toLowerCase() === digest,
  )
}

/** Members that are not of the form that they have in every version: of such a policy nothing is said. */
function isOdd({ excludes, keyrings, ima }: Policy): boolean {
  const none = (value: unknown) => value === undefined || value === null
  const isTable = typeof keyrings === 'object' && !Array.isArray(keyrings)
  const isIma = none(ima) || (typeof ima === 'object' && !Array.isArray(ima))
  return !(none(excludes) || Array.isArray(excludes)) || !(none(keyrings) || isTable) || !isIma
}

/** Whether one of the expressions matches a path from its start; undefined where their dialects differ. */
function isExcluded({ excludes }: Policy, path: string): boolean | undefined {
  const matches = (listOf(excludes) ?? []).map((one) => matchesAtStart(one, path))
  if (matches.includes(true)) return true
  return matches.includes(undefined) ? undefined : false
}

/** The kernel's own entry may also be what the quoted PCRs of the firmware give. */
function isOwnEntry({ name, digest }: NamedEntry, aggregates: readonly Uint8Array[]): boolean {
  return name === 'boot_aggregate' && aggregates.some((one) => toHex(one) === digest)
}

/** Whether a file is neither listed with its digest, nor excluded, nor signed by a key of the policy. */
function isForeignFile(
  policy: Policy,
  entry: ImaEntry,
  aggregates: readonly Uint8Array[],
): boolean {
  const isFile = entry.template === 'ima-sig' || entry.template === 'ima-ng'
  if (!isFile || isViolation(entry)) return false
  const one = named(entry)
  const keys = policy['verification-keys']
  // Whether a policy that does not speak of the kernel's own entry accepts it is left open.
  const listed = at(policy, 'digests', one.name)
  if (one.name === 'boot_aggregate' && listed === undefined) return false
  return (
    !lists(listed, one.digest) &&
    !isOwnEntry(one, aggregates) &&
    isExcluded(policy, one.name) === false &&
    (isEmpty(keys) || isSignedFile(keys, one.digest, one.extra) === false)
  )
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** A buffer that the policy does not list; the template is not covered by any PCR, so it excuses nothing. */
function isForeignBuffer(policy: Policy, entry: ImaEntry): boolean {
  if (entry.template !== 'ima-buf' || isViolation(entry)) return false
  const { name, digest } = named(entry)
  const ignored = listOf(at(policy, 'ima', 'ignored_keyrings')) ?? []
  const isIgnored = ignored.includes('*') || ignored.includes(name)
  const tables = ['ima-buf', 'keyrings', 'digests'].map((table) => at(policy, table, name))
  return !isIgnored && !tables.some((listed) => lists(listed, digest) || listed === digest)
}

/** Whether something was measured that a policy does not have; `aggregates` are those of the quoted PCRs. */
export function hasForeignFile(
  text: string,
  entries: readonly ImaEntry[],
  aggregates: readonly Uint8Array[] = [],
): boolean {
  const policy = objectOf(text)
  if (policy === undefined || isOdd(policy)) return false
  return entries.some(
    (entry) => isForeignBuffer(policy, entry) || isForeignFile(policy, entry, aggregates),
  )
}

/** Whether a policy of digests was shown without the list that it is about. */
export function needsList(text: string): boolean {
  return Object.keys(at(objectOf(text), 'digests') ?? {}).length > 0
}

const PCRS = Array.from({ length: 24 }, (_, pcr) => pcr)

/** Whether a tpm_policy wants another value of a PCR than the claimed one, or of one that is not claimed. */
export function wantsOtherPcr(
  text: string,
  claimed: (pcr: number) => Uint8Array | undefined,
): boolean {
  const policy = objectOf(text)
  if (policy === undefined) return false
  return Object.entries(policy).some(([pcr, wanted]) => {
    if (!/^(?:\d|1\d|2[0-3])$/.test(pcr) || !Array.isArray(wanted)) return false
    const value = claimed(Number(pcr))
    const hex = value === undefined ? undefined : toHex(value)
    return !wanted.some((one) => typeof one === 'string' && one.toLowerCase() === hex)
  })
}

/** Whether the mask of a tpm_policy names a PCR that is not claimed; of masks that are no hexadecimal number nothing is said. */
export function wantsUnquotedPcr(
  text: string,
  claimed: (pcr: number) => Uint8Array | undefined,
): boolean {
  const mask = at(objectOf(text), 'mask')
  if (typeof mask !== 'string' || !/^0x[0-9a-f]{1,6}$/.test(mask)) return false
  return PCRS.some((pcr) => ((Number(mask) >> pcr) & 1) === 1 && claimed(pcr) === undefined)
}
