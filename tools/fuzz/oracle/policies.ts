import { at, listOf } from '../../../conformance/attempt/reply.ts'
import { type ImaEntry, isViolation } from '../../../simulator/ima/list.ts'
import { toHex } from '../../../simulator/tpm/write.ts'

/** The document, undefined when it is no JSON object. */
export function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}

export function isPolicyDocument(text: string): boolean {
  return objectOf(text) !== undefined
}

/** Members by which a policy may accept a file without naming its digest. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || Object.keys(value).length === 0
}

function fileOf({ fields: [head, name] }: ImaEntry): readonly [path: string, digest: string] {
  const bytes = name ?? new Uint8Array()
  const path = new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)))
  return [path, toHex((head ?? bytes).subarray((head ?? bytes).indexOf(0) + 1))]
}

function accepts(policy: unknown, entry: ImaEntry): boolean {
  const [path, digest] = fileOf(entry)
  const digests = listOf(at(policy, 'digests', path)) ?? []
  return digests.some((one) => typeof one === 'string' && one.toLowerCase() === digest)
}

/** Entries that policies treat by rules of their own: not spoken of here. */
function isFile(entry: ImaEntry): boolean {
  const file = entry.template === 'ima-sig' || entry.template === 'ima-ng'
  return file && !isViolation(entry) && fileOf(entry)[0] !== 'boot_aggregate'
}

/** A buffer of a name that stands nowhere in the policy; the template is not covered by any PCR, so it excuses nothing. */
function isForeignBuffer(policy: unknown, entry: ImaEntry): boolean {
  const [name] = fileOf(entry)
  const named = [at(policy, 'ima-buf', name), at(policy, 'digests', name)]
  return entry.template === 'ima-buf' && named.every((one) => one === undefined)
}

/** Whether a file was run that a policy of digests alone does not have; other policies are not spoken of. */
export function hasForeignFile(text: string, entries: readonly ImaEntry[]): boolean {
  const policy = objectOf(text)
  if (policy === undefined) return false
  const plain = [policy.excludes, policy.keyrings, policy['verification-keys']].every(isEmpty)
  const isForeign = (entry: ImaEntry) =>
    isForeignBuffer(policy, entry) || (isFile(entry) && !accepts(policy, entry))
  return plain && entries.some(isForeign)
}

/** Whether a policy of digests was shown without the list that it is about. */
export function needsList(text: string): boolean {
  return Object.keys(at(objectOf(text), 'digests') ?? {}).length > 0
}

/** Whether a tpm_policy wants another value of a PCR than the claimed one, or of one that is not claimed. */
export function wantsOtherPcr(
  text: string,
  claimed: (pcr: number) => Uint8Array | undefined,
): boolean {
  const policy = objectOf(text)
  if (policy === undefined || 'mask' in policy) return false
  return Object.entries(policy).some(([pcr, wanted]) => {
    if (!/^(?:\d|1\d|2[0-3])$/.test(pcr) || !Array.isArray(wanted)) return false
    const value = claimed(Number(pcr))
    const hex = value === undefined ? undefined : toHex(value)
    return !wanted.some((one) => typeof one === 'string' && one.toLowerCase() === hex)
  })
}
