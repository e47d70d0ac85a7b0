import { X509Certificate } from 'node:crypto'
import { type ImaEntry, isViolation } from '../ima/list.ts'
import { toHex } from '../tpm/write.ts'

/** A runtime policy document, in the spelling of the wire. */
export interface RuntimePolicy {
  readonly meta: { readonly version: 1; readonly generator: 2 }
  readonly release: 0
  readonly digests: Readonly<Record<string, readonly string[]>>
  readonly excludes: readonly string[]
  readonly keyrings: Readonly<Record<string, readonly string[]>>
  readonly ima: {
    readonly ignored_keyrings: readonly string[]
    readonly log_hash_alg: 'sha1'
    readonly dm_policy: null
  }
  readonly 'ima-buf': Readonly<Record<string, readonly string[]>>
  readonly 'verification-keys': string
}

/** Returns the file or buffer that an entry names, and its digest in hexadecimal. */
function factOf({ template, fields }: ImaEntry): readonly [name: string, digest: string] {
  const [head = new Uint8Array(), name = new Uint8Array()] = fields
  const end = name.indexOf(0)
  const shown = new TextDecoder().decode(end === -1 ? name : name.subarray(0, end))
  return [shown, toHex(template === 'ima' ? head : head.subarray(head.indexOf(0) + 1))]
}

/** Returns name -> its different digests. Uses a Map internally, so that a file may be called `__proto__`. */
function digestsByName(entries: readonly ImaEntry[]): Record<string, readonly string[]> {
  const digests = new Map<string, readonly string[]>()
  for (const [name, digest] of entries.map(factOf)) {
    digests.set(name, [...new Set(digests.get(name)).add(digest)])
  }
  return Object.fromEntries(digests)
}

/** Whether a buffer is a key that was added to a keyring: those are certificates. */
function isKey({ fields }: ImaEntry): boolean {
  const [, , buffer = new Uint8Array()] = fields
  try {
    return new X509Certificate(buffer).raw.length > 0
  } catch {
    return false // data that OpenSSL cannot read is critical data
  }
}

/** Returns the runtime policy that accepts exactly the measurements of the entries; violations have none. */
export function runtimePolicyOf(entries: readonly ImaEntry[]): RuntimePolicy {
  const measured = entries.filter((entry) => !isViolation(entry))
  const buffers = measured.filter(({ template }) => template === 'ima-buf')
  return {
    meta: { version: 1, generator: 2 },
    release: 0,
    digests: digestsByName(measured.filter(({ template }) => template !== 'ima-buf')),
    excludes: [],
    keyrings: digestsByName(buffers.filter(isKey)),
    ima: { ignored_keyrings: [], log_hash_alg: 'sha1', dm_policy: null },
    'ima-buf': digestsByName(buffers.filter((entry) => !isKey(entry))),
    'verification-keys': '',
  }
}
