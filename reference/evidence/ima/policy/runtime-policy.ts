import { PolicyError } from '../../policy-error.ts'
import type { DigestTable } from '../list/digest-set.ts'
import { type Envelope, isEnvelope, payloadText, readEnvelope } from './dsse.ts'
import { compileExcludes } from './excludes.ts'
import {
  excludeListLines,
  isAllowlist,
  upgradeDocument,
  upgradeTextAllowlist,
} from './legacy-allowlist.ts'
import {
  digestsAt,
  integerAt,
  type JsonObject,
  type Note,
  objectAt,
  parseJson,
  textAt,
  textsAt,
  versionAt,
} from './policy-shape.ts'
import { parseVerificationKeys, type VerificationKeys } from './verification-keys.ts'

/** A runtime policy, read and checked. */
export interface RuntimePolicy {
  /** path -> allowed digests */
  readonly digests: DigestTable
  /** label of critical data -> allowed digests */
  readonly imaBuf: DigestTable
  /** keyring -> allowed digests of the keys measured into it */
  readonly keyrings: DigestTable
  /** keyrings whose keys are not checked; `*` stands for all */
  readonly ignoredKeyrings: ReadonlySet<string>
  /** algorithm of the template hash column: sha1, sha256, sha384 or sha512 */
  readonly logHashAlg: string
  /** 0 unknown, 1 empty, 2 compatible, 3 legacy; a policy up to 1 is a placeholder */
  readonly generator: number
  /** keys of file signatures: a file that one of them signed needs no digest */
  readonly verificationKeys: VerificationKeys
  /** the signed envelope, if the policy came in one; the caller must check the signatures */
  readonly envelope?: Envelope
  /** notes for the user about values that were read differently from the document */
  readonly notes: readonly string[]
  /** whether a digest, lower-case hex, is listed for a path; cheap, so it is asked first */
  allows(path: string, digestHex: string): boolean
  /** whether a path is excluded, with any digest */
  excludes(path: string): boolean
}

const HASHES: readonly string[] = ['sha1', 'sha256', 'sha384', 'sha512']
const LAST_GENERATOR = 3
const LAST_VERSION = 1
/** What only an expression for anything at all matches. */
const UNLIKELY_PATHS: readonly string[] = ['', '\u{1}/\u{2}']

/**
 * Reads a runtime policy document (its JSON text) in any form that was ever released: version 1, with the liberties
 * that upstream's own documentation takes; the allowlists before it, alone or in a bundle with `exclude`; and either
 * inside an envelope, whose signature is not looked at here. Members that are not known are allowed and ignored.
 *
 * @throws {PolicyError} naming the JSON path of the member that is not allowed
 */
export function parseRuntimePolicy(text: string): RuntimePolicy {
  const notes = new Set<string>()
  const note: Note = (each) => notes.add(each)
  const root = objectAt(parseJson(text, 'runtime_policy'), 'runtime_policy')
  const envelope = isEnvelope(root) ? readEnvelope(root) : undefined
  const policy = readPolicy(plainDocument(envelope ? insideOf(envelope, note) : root, note), notes)
  return envelope ? { ...policy, envelope } : policy
}

/**
 * Reads an allowlist in lines of digest and path, with an exclude list in lines. Only operators have such files; no endpoint accepts them.
 *
 * @throws {PolicyError} naming the line
 */
export function parseTextAllowlist(text: string, excludeList = ''): RuntimePolicy {
  const notes = new Set<string>()
  const note: Note = (each) => notes.add(each)
  return readPolicy(upgradeTextAllowlist(text, excludeListLines(excludeList), note), notes)
}

/** The document of version 1 that another amounts to. */
function plainDocument(plain: JsonObject, note: Note): JsonObject {
  return isAllowlist(plain) ? upgradeDocument(plain, note) : plain
}

function insideOf(envelope: Envelope, note: Note): JsonObject {
  note(`an envelope (DSSE) of type ${JSON.stringify(envelope.payloadType)} around the policy`)
  const inner = objectAt(parseJson(payloadText(envelope), 'payload'), 'payload')
  if (isEnvelope(inner)) throw new PolicyError('payload', 'is an envelope again')
  return inner
}

function readPolicy(root: JsonObject, notes: Set<string>): RuntimePolicy {
  const note: Note = (each) => notes.add(each)
  const meta = objectAt(root.meta, 'meta')
  const ima = objectAt(root.ima, 'ima')
  versionAt(meta.version, 'meta.version', LAST_VERSION)
  integerAt(root.release, 'release')
  if (ima.dm_policy !== null && ima.dm_policy !== undefined)
    throw new PolicyError('ima.dm_policy', 'must be null')
  const digests = digestsAt(root.digests, 'digests', { least: 1, note })
  const excludes = compileExcludes(textsAt(root.excludes, 'excludes'))
  if (UNLIKELY_PATHS.every(excludes)) note('excludes: every path is excluded')
  return {
    generator: integerAt(meta.generator, 'meta.generator', LAST_GENERATOR),
    digests,
    keyrings: digestsAt(root.keyrings, 'keyrings', { bareText: true, note }),
    imaBuf: digestsAt(root['ima-buf'], 'ima-buf', { bareText: true, note }),
    ignoredKeyrings: new Set(textsAt(ima.ignored_keyrings, 'ima.ignored_keyrings')),
    logHashAlg: hashAt(ima.log_hash_alg, 'ima.log_hash_alg'),
    verificationKeys: parseVerificationKeys(
      textAt(root['verification-keys'], 'verification-keys'),
      'verification-keys',
    ),
    excludes,
    allows: (path, digestHex) => digests.get(path)?.has(digestHex) === true,
    notes: [...notes],
  }
}

function hashAt(value: unknown, path: string): string {
  const name = textAt(value, path)
  if (!HASHES.includes(name)) throw new PolicyError(path, `expected one of ${HASHES.join(', ')}`)
  return name
}
