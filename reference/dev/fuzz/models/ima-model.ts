import { equalBytes } from '../../../bytes/equal.ts'
import { toHex } from '../../../bytes/hex.ts'
import type { ImaCertified } from '../../../evidence/ima/evaluate-ima.ts'
import { extendBy, type ImaRun, LIST_POLICIES, type ListPolicy } from '../ima-lists.ts'
import {
  contentOf,
  dataOf,
  hashBytes,
  isZero,
  type ModelEntry,
  readAscii,
  readBinary,
} from './ima-entries.ts'

/** Why a list must not pass, by a reading and a replay of its own; undefined when nothing speaks against it. */
export function imaMustNotPass(
  run: ImaRun,
  certified: ImaCertified | undefined,
): string | undefined {
  const policy = LIST_POLICIES[run.policy]
  const hash = policy?.hash ?? 'sha1'
  const size = hash === 'sha1' ? 20 : 32
  const entries = run.format === 'ascii' ? readAscii(run.list, hash) : readBinary(run.list, size)
  if (!entries) return 'the list cannot be read to its end'
  const problem = entries.map((entry) => entryProblem(entry, run, policy, hash)).find(Boolean)
  return problem ?? replayProblem(entries, run, certified)
}

function entryProblem(
  entry: ModelEntry,
  { ignoreViolations }: ImaRun,
  policy: ListPolicy | undefined,
  hash: string,
): string | undefined {
  if (entry.pcr !== 10) return 'an entry is for another PCR'
  if (isZero(entry.hash)) return ignoreViolations ? undefined : 'an entry is a violation'
  if (!equalBytes(hashBytes(hash, dataOf(entry)), entry.hash)) return 'a template hash is wrong'
  const content = contentOf(entry)
  if (!content) return 'an entry says nothing'
  return policy && !isAllowed(content, policy) ? 'an entry is not in the policy' : undefined
}

type Content = NonNullable<ReturnType<typeof contentOf>>

function isAllowed({ name, digest, isBuffer, isSigned }: Content, policy: ListPolicy): boolean {
  const { digests, buffers, keyrings, ignored, excluded } = policy
  const listed = (table: ListPolicy['digests']) =>
    Object.hasOwn(table, name) && (table[name] ?? []).includes(digest)
  if (excluded.some((folder) => name.startsWith(folder))) return true
  if (isBuffer)
    return listed(buffers) || listed(keyrings) || ignored.includes('*') || ignored.includes(name)
  // A key that a list measured and the policy allows may stand for a file; whether it does is not judged here.
  return listed(digests) || (isSigned && Object.keys(keyrings).length > 0)
}

/** The quoted values must be those after one number of entries, the same in every bank. */
function replayProblem(
  entries: readonly ModelEntry[],
  run: ImaRun,
  certified: ImaCertified | undefined,
): string | undefined {
  const banks = Object.entries(run.quoted)
  if (banks.length === 0) return 'no PCR 10 was quoted'
  const met = banks.map(([bank, value]) => [
    ...metBy(entries, run, bank, value, false),
    ...metBy(entries, run, bank, value, true),
  ])
  const common = (met[0] ?? []).filter((count) => met.every((counts) => counts.includes(count)))
  if (common.length === 0) return 'the list does not replay to what was quoted'
  if (!certified) return 'nothing was certified'
  const carried = banks.every(([bank, value]) => certified.carried[bank] === toHex(value))
  if (!carried) return 'another value is carried on than was quoted'
  return common.includes(certified.entriesCertified) && certified.entries === entries.length
    ? undefined
    : 'another number of entries is certified than replays'
}

/** Numbers of entries after which a bank has its quoted value. */
function metBy(
  entries: readonly ModelEntry[],
  { offset, carried }: ImaRun,
  bank: string,
  quoted: Uint8Array,
  padded: boolean,
): readonly number[] {
  const start = offset === 0 ? new Uint8Array(quoted.length) : carried[bank]
  if (!start) return []
  const counts: number[] = []
  let value = start
  for (let count = 0; count <= entries.length; count++) {
    if (equalBytes(value, quoted)) counts.push(count)
    const next = entries[count]
    if (next) value = extendBy(bank, value, next, padded)
  }
  return counts
}
