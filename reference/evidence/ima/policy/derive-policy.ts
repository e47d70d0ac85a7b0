import { hashByName } from '../../../tpm/algorithms.ts'
import { hashMatches, type ImaItem, isViolation } from '../list/entry.ts'
import type { ImaContent } from '../list/fields.ts'
import { IMA_PCR } from '../list/replay.ts'
import { readMeasuredKey } from '../measured-key.ts'
import { compileExcludes } from './excludes.ts'

/** Input of a derived policy in addition to the list. */
interface PolicyWishes {
  /** Expressions for excluded paths. */
  readonly excludes: readonly string[]
  /** Path and digest of files that are allowed too. */
  readonly allow: readonly (readonly [path: string, digest: string])[]
  /** ISO 8601 */
  readonly timestamp: string
  /** Algorithm of the template hash column. */
  readonly logHashAlg: string
}

/** A runtime policy of version 1, with notes for the user. */
export interface DerivedPolicy {
  readonly policy: Readonly<Record<string, unknown>>
  readonly notes: readonly string[]
  /** How many paths are listed. */
  readonly paths: number
}

/** An entry that no policy can let pass. */
export class NotAllowable extends Error {}

type Table = Map<string, Set<string>>

/**
 * The policy under which exactly this list passes: every file, key and buffer in it is listed with its digest, but for
 * paths that are excluded.
 *
 * @throws {NotAllowable} an entry cannot be read; a list is trusted only if all of it can be read
 * @throws {PolicyError} an expression of `excludes` cannot be used
 */
export function derivePolicy(items: Iterable<ImaItem>, wishes: PolicyWishes): DerivedPolicy {
  const draft = new Draft(compileExcludes(wishes.excludes))
  for (const item of items) draft.take(item)
  for (const [path, digest] of wishes.allow) put(draft.digests, path, digest)
  return {
    notes: draft.notes(),
    paths: draft.digests.size,
    policy: {
      meta: { version: 1, generator: COMPATIBLE, timestamp: wishes.timestamp },
      release: 0,
      digests: plain(draft.digests),
      excludes: wishes.excludes,
      keyrings: plain(draft.keyrings),
      ima: {
        ignored_keyrings: [...draft.ignored],
        log_hash_alg: wishes.logHashAlg,
        dm_policy: null,
      },
      'ima-buf': plain(draft.buffers),
      'verification-keys': '',
    },
  }
}

/** What upstream calls a policy that was made for it, of the generators of a document. */
const COMPATIBLE = 2

class Draft {
  readonly digests: Table = new Map()
  readonly keyrings: Table = new Map()
  readonly buffers: Table = new Map()
  readonly ignored = new Set<string>()
  readonly #excludes: (path: string) => boolean
  readonly #unnameable = new Set<string>()
  #violations = 0
  #excluded = 0

  constructor(excludes: (path: string) => boolean) {
    this.#excludes = excludes
  }

  take(item: ImaItem): void {
    if (item.kind === 'unreadable') throw new NotAllowable(`entry ${item.number}: ${item.why}`)
    if (isViolation(item)) {
      this.#violations += 1
      return
    }
    const { content, number } = item
    if (item.pcr !== IMA_PCR) throw new NotAllowable(`entry ${number} is for PCR ${item.pcr}`)
    if (!hashMatches(item))
      throw new NotAllowable(`entry ${number}: the template hash is not that of the data`)
    if ('invalid' in content) throw new NotAllowable(`entry ${number}: ${content.invalid}`)
    if (content.buffer === undefined) this.#takeFile(content)
    else this.#takeBuffer(content, content.buffer)
  }

  #takeFile({ name, exactName, digest }: ImaContent): void {
    if (this.#excludes(name)) this.#excluded += 1
    else if (exactName) put(this.digests, name, digest.hex)
    else this.#unnameable.add(name)
  }

  #takeBuffer({ name, digest }: ImaContent, buffer: Uint8Array): void {
    const key = readMeasuredKey(buffer)
    if (key === undefined) put(this.buffers, name, digest.hex)
    else if (key.kind === 'key') put(this.keyrings, name, digest.hex)
    // A listed key that verifies no signature is a failure; one of an ignored keyring is not.
    else this.ignored.add(name)
  }

  notes(): readonly string[] {
    const said: readonly (readonly [boolean, string])[] = [
      [this.#excluded > 0, `${this.#excluded} entries are of excluded paths, and were left out`],
      [
        this.#violations > 0,
        `${this.#violations} entries are violations: the list passes only where the verifier has ignore_tomtou_errors=True`,
      ],
      [
        this.#unnameable.size > 0,
        `${this.#unnameable.size} paths are no UTF-8 and can only be excluded: ${[...this.#unnameable].map((name) => JSON.stringify(name)).join(', ')}`,
      ],
      [
        this.ignored.size > 0,
        `keyrings with keys that verify no file signature are ignored: ${[...this.ignored].join(', ')}`,
      ],
    ]
    return said.flatMap(([holds, sentence]) => (holds ? [sentence] : []))
  }
}

function put(table: Table, name: string, digest: string): void {
  const known = table.get(name)
  if (known === undefined) table.set(name, new Set([digest]))
  else known.add(digest)
}

function plain(table: Table): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries([...table].map(([name, digests]) => [name, [...digests]]))
}

/** Algorithm of the column of an ASCII list, by the digits of its first line; sha1 where there is none. */
export function columnHash(list: Uint8Array): string {
  const head = Buffer.from(list.subarray(0, MOST_HEAD)).toString('latin1')
  const digits = /^\s*\d+ ([0-9a-f]+) /.exec(head)?.[1]?.length ?? 0
  return HASHES.find((name) => hashByName(name)?.size === digits / 2) ?? 'sha1'
}

const HASHES: readonly string[] = ['sha1', 'sha256', 'sha384', 'sha512']
const MOST_HEAD = 512
