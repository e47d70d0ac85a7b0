import { PolicyError } from '../../policy-error.ts'
import {
  isObject,
  type JsonObject,
  type Note,
  objectAt,
  textAt,
  textsAt,
  versionAt,
} from './policy-shape.ts'

/** Generators of a runtime policy (`meta.generator`). */
const GENERATORS = { unknown: 0, empty: 1, compatible: 2, legacy: 3 } as const

const LAST_ALLOWLIST_VERSION = 6

/**
 * Converts an allowlist to a runtime policy document: the JSON form that came before runtime policies.
 * `hashes` were the digests. Its versions only added members, so a missing one has the value of the earlier versions:
 * 2 `keyrings`, 3 `ima.ignored_keyrings`, 4 `ima-buf`, 5 `ima.log_hash_alg`, 6 `ima.dm_policy`.
 * Excludes come in a separate file; empty lines and lines that begin with `#` are ignored.
 *
 * @param path the allowlist's name in messages: `allowlist`, or empty if it is the whole document
 */
function upgradeAllowlist(
  allowlist: JsonObject,
  excludes: unknown,
  path: string,
  note: Note,
): JsonObject {
  const at = (member: string) => (path === '' ? member : `${path}.${member}`)
  const ima = allowlist.ima === undefined ? {} : objectAt(allowlist.ima, at('ima'))
  const meta = allowlist.meta === undefined ? {} : objectAt(allowlist.meta, at('meta'))
  const version = allowlistVersion(meta.version, at('meta.version'))
  note(`an allowlist${version}, which is older than runtime policies`)
  return {
    meta: { ...meta, version: 1, generator: GENERATORS.compatible },
    release: allowlist.release ?? 0,
    digests: objectAt(allowlist.hashes, at('hashes')),
    excludes: excludeLines(excludes),
    keyrings: allowlist.keyrings ?? {},
    ima: { ignored_keyrings: [], log_hash_alg: 'sha1', dm_policy: null, ...ima },
    'ima-buf': allowlist['ima-buf'] ?? {},
    'verification-keys': '',
  }
}

function allowlistVersion(value: unknown, path: string): string {
  if (value === undefined) return ' without a version'
  return ` of version ${versionAt(value, path, LAST_ALLOWLIST_VERSION)}`
}

function excludeLines(value: unknown): readonly string[] {
  if (value === undefined || value === null) return []
  return textsAt(value, 'exclude').filter((line) => line !== '' && !line.startsWith('#'))
}

const LINE = /^(?:[a-z0-9_-]{1,32}:)?[0-9a-f]{32,128}\s+\S/
const KEYRING = '%keyring:'

/**
 * Converts a text allowlist to a runtime policy document: digest, blanks, path; or digest, blanks, `%keyring:`
 * and the name of a keyring. This form was never sent: tenants made JSON of it.
 *
 * @throws {PolicyError} `line 3` for an invalid line
 */
export function upgradeTextAllowlist(
  text: string,
  excludes: readonly string[],
  note: Note,
): JsonObject {
  const digests = new Map<string, string[]>()
  const keyrings = new Map<string, string[]>()
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = raw.trim()
    if (line === '') return
    if (!LINE.test(line))
      throw new PolicyError(`line ${index + 1}`, 'expected a digest in lower-case hex and a path')
    const [digest = ''] = line.split(/\s/, 1)
    const path = line.slice(digest.length).trim()
    if (path.startsWith(KEYRING)) add(keyrings, path.slice(KEYRING.length), digest)
    else add(digests, path, digest)
  })
  note('an allowlist in lines of digest and path')
  return {
    meta: { version: 1, generator: GENERATORS.legacy },
    release: 0,
    digests: Object.fromEntries(digests),
    excludes: excludeLines(excludes),
    keyrings: Object.fromEntries(keyrings),
    ima: { ignored_keyrings: [], log_hash_alg: 'sha1', dm_policy: null },
    'ima-buf': {},
    'verification-keys': '',
  }
}

function add(table: Map<string, string[]>, name: string, digest: string): void {
  const listed = table.get(name)
  if (listed) listed.push(digest)
  else table.set(name, [digest])
}

/** Whether a document is an allowlist, alone or in a bundle with its excludes. */
export function isAllowlist(root: JsonObject): boolean {
  return root.digests === undefined && (isObject(root.allowlist) || root.hashes !== undefined)
}

/** The allowlist of a document that {@link isAllowlist} accepts. */
export function upgradeDocument(root: JsonObject, note: Note): JsonObject {
  if (isObject(root.allowlist))
    return upgradeAllowlist(root.allowlist, root.exclude, 'allowlist', note)
  return upgradeAllowlist(root, root.exclude, '', note)
}

/** The lines of an exclude list that is a text. */
export function excludeListLines(text: string): readonly string[] {
  return textAt(text, 'excludelist')
    .split(/\r?\n/)
    .map((line) => line.trim())
}
