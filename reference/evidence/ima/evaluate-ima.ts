import { fromHex } from '../../bytes/hex.ts'
import { type HashAlgorithm, hashByName } from '../../tpm/algorithms.ts'
import { type Check, runChecks } from '../check.ts'
import { type Finding, finding } from '../findings.ts'
import type { VerifiedPcrs } from '../quote/verified-pcrs.ts'
import { type LearnedKey, learnAgain } from './buffer-checks.ts'
import { BOOT_AGGREGATE, type ImaEntryCase } from './entry-case.ts'
import { imaEntryChecks } from './entry-checks.ts'
import type { LineMemo } from './list/line-memo.ts'
import { readAsciiList } from './list/parse-ascii.ts'
import { readBinaryList } from './list/parse-binary.ts'
import { type BankReplay, fromReset, IMA_PCR, ImaReplay, type ReplayStart } from './list/replay.ts'
import { ListEvaluation } from './list-evaluation.ts'
import type { RuntimePolicy } from './policy/runtime-policy.ts'
import { TrustedSigners } from './policy/trusted-signers.ts'

/** An IMA list and where it starts. */
export interface ImaEvidence {
  readonly format: 'ascii' | 'binary'
  readonly bytes: Uint8Array
  /** number of entries that the sender says it has; it may have counted lines (ambiguity ENTRIES) */
  readonly statedEntries?: number
  /** number of entries before this list that an earlier evaluation certified */
  readonly startingOffset: number
  /** bank -> lower-case hex of PCR 10 after those entries; needed when the offset is above 0 */
  readonly carried?: Readonly<Record<string, string>>
  /** keys learned from those entries, and those of `learned` before */
  readonly learned?: readonly LearnedKey[]
}

/** The state that a replayed list hands to the next evaluation; plain data. */
export interface ImaCertified {
  /** entries of this list that the quoted PCR 10 covers */
  readonly entriesCertified: number
  /** the same in lines of the ASCII list, of which an entry with a newline in its name takes more than one */
  readonly linesCertified: number
  /** entries of this list, covered or not */
  readonly entries: number
  /** bank -> lower-case hex of PCR 10 after the certified entries, for the next `carried` */
  readonly carried: Readonly<Record<string, string>>
  /** bank -> id of the rule by which this kernel extends it */
  readonly rules: Readonly<Record<string, string>>
  /** keys of file signatures that the certified entries taught, and those before them, for the next `learned` */
  readonly learned?: readonly LearnedKey[]
}

/** A list and the PCRs that it must replay to. */
export interface ImaListCase {
  readonly replays: readonly BankReplay[]
  /** there is a policy, and the list is the first of its boot; a later one may be empty */
  readonly isJudgedFromReset: boolean
  /** the policy lists the kernel's own entry, which is the first of every boot */
  readonly needsBootAggregate: boolean
  /** number of the first entry called `boot_aggregate`, from 1; undefined without one */
  readonly bootAggregateAt: number | undefined
}

/** The checks of a measurement list as a whole, in this order. */
export const imaListChecks: readonly Check<ImaListCase>[] = [
  {
    id: 'ima.quoted',
    why: 'a list without its quoted PCR can say anything',
    run: ({ replays }) =>
      replays.length === 0
        ? finding('pcr_validation.missing_pcrs', `the quote does not cover PCR ${IMA_PCR}`, {
            pcrs: [IMA_PCR],
          })
        : undefined,
  },
  {
    id: 'ima.replay',
    why: 'the list is only as good as its replay to the quoted PCR',
    run: checkReplay,
  },
  {
    id: 'ima.measured',
    why: 'a kernel that measures extends PCR 10 while it boots, so an unused one says nothing about what runs',
    run: ({ replays, isJudgedFromReset }) =>
      isJudgedFromReset && replays.some(({ match }) => match?.items === 0)
        ? unused(`PCR ${IMA_PCR} was never extended, so that no entry is measured`)
        : undefined,
  },
  {
    id: 'ima.boot-aggregate',
    why: 'a list without the entry of the kernel may be that of any program that extends PCR 10',
    run: ({ replays, isJudgedFromReset, needsBootAggregate, bootAggregateAt = Infinity }) =>
      isJudgedFromReset &&
      needsBootAggregate &&
      replays.some(({ match }) => match && match.items < bootAggregateAt)
        ? unused('the policy lists boot_aggregate, and no such entry is measured')
        : undefined,
  },
]

function unused(message: string): Finding {
  return finding('pcr_validation.unused_pcr_*', message, {}, IMA_PCR)
}

function checkReplay({ replays }: ImaListCase): Finding | undefined {
  const failed = replays.find((replay) => !replay.match)
  if (failed)
    return finding(
      'ima.pcr_mismatch',
      `the list replays to ${failed.reached}, PCR ${IMA_PCR} of ${failed.bank} is ${failed.quoted}`,
    )
  const covered = new Set(replays.map(({ match }) => match?.items))
  return covered.size > 1
    ? finding(
        'ima.pcr_mismatch',
        `the banks cover different parts of the list: ${[...covered].join(', ')} entries`,
      )
    : undefined
}

/** What a list is evaluated against. */
interface ImaExpectations {
  readonly policy?: RuntimePolicy
  readonly ignoreTomtouErrors: boolean
  readonly bootAggregates: ReadonlySet<string>
}

interface ImaEvaluation {
  readonly findings: readonly Finding[]
  /** set when the list replayed to PCR 10 in every proven bank */
  readonly certified?: ImaCertified
  /** bytes of template data that were hashed: the measure of the work, at most linear in the list */
  readonly hashedBytes: number
}

/**
 * Replays a list and checks its entries, including those beyond the quoted value.
 *
 * @param memo cache of lines from earlier evaluations with the same checks; it only saves time
 */
export function evaluateIma(
  evidence: ImaEvidence,
  verified: VerifiedPcrs,
  expected: ImaExpectations,
  listChecks: readonly Check<ImaListCase>[] = imaListChecks,
  entryChecks: readonly Check<ImaEntryCase>[] = imaEntryChecks,
  memo?: LineMemo,
): ImaEvaluation {
  const { policy, ignoreTomtouErrors, bootAggregates } = expected
  const logHashAlg = policy?.logHashAlg ?? 'sha1'
  const replay = new ImaReplay(verified, startOf(evidence))
  const table = policy && memo?.tableFor(policy, `${evidence.format} ${logHashAlg} ${replay.key}`)
  const signers = new TrustedSigners(policy?.verificationKeys)
  const known = policy
    ? (evidence.learned ?? []).filter((key) => learnAgain(key, policy, signers))
    : []
  const evaluation = new ListEvaluation(
    { policy, ignoreTomtouErrors, bootAggregates, signers },
    entryChecks,
    replay,
    table,
  )
  readList(evidence, logHashAlg, evaluation)
  const replays = replay.results()
  const certified = certifiedBy(evaluation, replays, known)
  const list = {
    replays,
    isJudgedFromReset: policy !== undefined && evidence.startingOffset === 0,
    needsBootAggregate: policy?.digests.has(BOOT_AGGREGATE) ?? false,
    bootAggregateAt: evaluation.bootAggregateAt,
  }
  return {
    findings: [
      ...runChecks(listChecks, list),
      ...miscounted(evidence.statedEntries, evaluation),
      ...evaluation.findings,
    ],
    ...(certified && { certified }),
    hashedBytes: evaluation.hashedBytes,
  }
}

function miscounted(
  stated: number | undefined,
  { entries, lines }: Pick<ListEvaluation, 'entries' | 'lines'>,
): readonly Finding[] {
  if (stated === undefined || stated === entries || stated === lines) return []
  const message = `entry_count is ${stated}, and the list has ${entries} entries`
  return [finding('ima.parser.entry', message)]
}

function readList(
  { format, bytes }: ImaEvidence,
  logHashAlg: string,
  evaluation: ListEvaluation,
): void {
  const hash = hashByName(logHashAlg)
  if (!hash?.digest) throw new TypeError(`log_hash_alg ${logHashAlg} cannot be computed here`)
  if (format === 'ascii') readAsciiList(bytes, hash, evaluation)
  else readBinaryList(bytes, hash, evaluation)
}

function startOf({ startingOffset, carried }: ImaEvidence): ReplayStart {
  if (startingOffset === 0) return fromReset
  return (bank: HashAlgorithm) => {
    const text = carried && Object.hasOwn(carried, bank.name) ? carried[bank.name] : undefined
    return text === undefined ? undefined : fromHex(text, 'carried')
  }
}

function certifiedBy(
  evaluation: ListEvaluation,
  replays: readonly BankReplay[],
  known: readonly LearnedKey[],
): ImaCertified | undefined {
  const matches = replays.flatMap(({ bank, reached, match }) =>
    match ? [{ bank, reached, ...match }] : [],
  )
  const [least] = matches.toSorted((one, other) => one.items - other.items)
  if (!least || matches.length < replays.length) return undefined
  const learned = [...known, ...evaluation.learnedWithin(least.items)]
  return {
    entriesCertified: least.items,
    linesCertified: least.lines,
    entries: evaluation.entries,
    carried: Object.fromEntries(matches.map(({ bank, reached }) => [bank, reached])),
    rules: Object.fromEntries(matches.map(({ bank, rule }) => [bank, rule])),
    ...(learned.length > 0 && { learned }),
  }
}
