import { PolicyError } from '../policy-error.ts'
import { compileExcludes } from './excludes.ts'

/** name -> allowed digests in lower-case hex */
export type DigestTable = ReadonlyMap<string, ReadonlySet<string>>

/** A runtime policy, read and checked. */
export interface RuntimePolicy {
  /** path -> allowed digests */
  readonly digests: DigestTable
  /** label of critical data -> allowed digests */
  readonly imaBuf: DigestTable
  /** keyring -> allowed digests of the keys measured into it */
  readonly keyrings: DigestTable
  /** keyrings that are not judged; `*` stands for all of them */
  readonly ignoredKeyrings: ReadonlySet<string>
  /** algorithm of the template hash column: sha1, sha256, sha384 or sha512 */
  readonly logHashAlg: string
  /** 0 unknown, 1 empty, 2 compatible, 3 legacy; a policy up to 1 is a placeholder */
  readonly generator: number
  /** keyring of file signatures, as text; not used yet, so signed files need a digest too */
  readonly verificationKeys: string
  /** whether a path is excluded from judgement */
  excludes(path: string): boolean
}

const HASHES: readonly string[] = ['sha1', 'sha256', 'sha384', 'sha512']
const LAST_GENERATOR = 3

/**
 * Reads a runtime policy document (its JSON text).
 * The members below are required; others are allowed and ignored.
 *
 * @throws {PolicyError} naming the JSON path of the member that is not allowed
 */
export function parseRuntimePolicy(text: string): RuntimePolicy {
  const root = objectAt(parseJson(text), 'runtime_policy')
  const meta = objectAt(root.meta, 'meta')
  const ima = objectAt(root.ima, 'ima')
  integerAt(meta.version, 'meta.version')
  integerAt(root.release, 'release')
  if (ima.dm_policy !== null && ima.dm_policy !== undefined)
    throw new PolicyError('ima.dm_policy', 'must be null')
  return {
    generator: integerAt(meta.generator, 'meta.generator', LAST_GENERATOR),
    digests: digestsAt(root.digests, 'digests', 1),
    excludes: compileExcludes(textsAt(root.excludes, 'excludes')),
    keyrings: digestsAt(root.keyrings, 'keyrings'),
    imaBuf: digestsAt(root['ima-buf'], 'ima-buf'),
    ignoredKeyrings: new Set(textsAt(ima.ignored_keyrings, 'ima.ignored_keyrings')),
    logHashAlg: hashAt(ima.log_hash_alg, 'ima.log_hash_alg'),
    verificationKeys: textAt(root['verification-keys'], 'verification-keys'),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new PolicyError('runtime_policy', 'is not JSON', { cause })
  }
}

function objectAt(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PolicyError(path, 'expected an object')
  return value as Readonly<Record<string, unknown>>
}

function integerAt(value: unknown, path: string, last = Number.MAX_SAFE_INTEGER): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > last)
    throw new PolicyError(path, `expected an integer from 0${last < 10 ? ` to ${last}` : ''}`)
  return value
}

function textAt(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new PolicyError(path, 'expected text')
  return value
}

function textsAt(value: unknown, path: string): readonly string[] {
  if (!Array.isArray(value)) throw new PolicyError(path, 'expected a list of texts')
  return value.map((each: unknown, index) => textAt(each, `${path}[${index}]`))
}

function hashAt(value: unknown, path: string): string {
  const name = textAt(value, path)
  if (!HASHES.includes(name)) throw new PolicyError(path, `expected one of ${HASHES.join(', ')}`)
  return name
}

function digestsAt(value: unknown, path: string, least = 0): DigestTable {
  const entries = Object.entries(objectAt(value, path)).map(([name, list]) => {
    const place = `${path}[${JSON.stringify(name)}]`
    const digests = textsAt(list, place)
    if (digests.length < least) throw new PolicyError(place, 'expected at least one digest')
    const stray = digests.findIndex((digest) => !/^[0-9a-f]{40,128}$/.test(digest))
    if (stray >= 0)
      throw new PolicyError(
        `${place}[${stray}]`,
        'expected 40 to 128 lower-case hexadecimal digits',
      )
    return [name, new Set(digests)] as const
  })
  return new Map(entries)
}
