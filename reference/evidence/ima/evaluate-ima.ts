import { fromHex, toHex } from '../../bytes/hex.ts'
import { type HashAlgorithm, hashByName } from '../../tpm/algorithms.ts'
import { type Check, runChecks } from '../check.ts'
import { type Finding, finding } from '../findings.ts'
import type { VerifiedPcrs } from '../verified-pcrs.ts'
import type { ImaItem } from './entry.ts'
import { type ImaEntryCase, imaEntryChecks } from './entry-checks.ts'
import { parseAsciiList } from './parse-ascii.ts'
import { parseBinaryList } from './parse-binary.ts'
import { type BankReplay, fromReset, IMA_PCR, type ReplayStart, replayIma } from './replay.ts'
import type { RuntimePolicy } from './runtime-policy.ts'

/** An IMA list and where it starts. */
export interface ImaEvidence {
  readonly format: 'ascii' | 'binary'
  readonly bytes: Uint8Array
  /** number of entries before this list that an earlier evaluation certified */
  readonly startingOffset: number
  /** bank -> lower-case hex of PCR 10 after those entries; needed when the offset is above 0 */
  readonly carried?: Readonly<Record<string, string>>
}

/** What an evaluation of a list that replayed leaves for the next one; plain data. */
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
}

/** A whole list beside the PCRs it has to explain. */
export interface ImaListCase {
  readonly replays: readonly BankReplay[]
}

/** What is verified of a measurement list as a whole, in this order. */
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
]

function checkReplay({ replays }: ImaListCase): Finding | undefined {
  const failed = replays.find((replay) => !replay.match)
  if (failed)
    return finding(
      'ima.pcr_mismatch',
      `the list replays to ${toHex(failed.reached)}, PCR ${IMA_PCR} of ${failed.bank} is ${toHex(failed.quoted)}`,
    )
  const covered = new Set(replays.map(({ match }) => match?.items))
  return covered.size > 1
    ? finding(
        'ima.pcr_mismatch',
        `the banks cover different parts of the list: ${[...covered].join(', ')} entries`,
      )
    : undefined
}

/** What a list is judged by. */
export interface ImaExpectations {
  readonly policy?: RuntimePolicy
  readonly ignoreTomtouErrors: boolean
  readonly bootAggregates: ReadonlySet<string>
}

export interface ImaEvaluation {
  readonly findings: readonly Finding[]
  /** set when the list replayed to PCR 10 in every proven bank */
  readonly certified?: ImaCertified
}

/** Most findings of entries in one evaluation; one more says how many there are beyond. */
const MAX_FINDINGS = 200

/** Replays a list and judges its entries, those beyond the quoted value included. */
export function evaluateIma(
  evidence: ImaEvidence,
  verified: VerifiedPcrs,
  expected: ImaExpectations,
  listChecks: readonly Check<ImaListCase>[] = imaListChecks,
  entryChecks: readonly Check<ImaEntryCase>[] = imaEntryChecks,
): ImaEvaluation {
  const items = parseList(evidence, expected.policy?.logHashAlg ?? 'sha1')
  const replays = replayIma(items, verified, startOf(evidence))
  const { policy, ignoreTomtouErrors, bootAggregates } = expected
  const found = items.flatMap((item) =>
    runChecks(entryChecks, { item, policy, ignoreTomtouErrors, bootAggregates }),
  )
  const findings = [...runChecks(listChecks, { replays }), ...limited(found)]
  const certified = certifiedBy(items, replays)
  return certified ? { findings, certified } : { findings }
}

function parseList({ format, bytes }: ImaEvidence, logHashAlg: string): readonly ImaItem[] {
  const hash = hashByName(logHashAlg)
  if (!hash?.digest) throw new TypeError(`log_hash_alg ${logHashAlg} cannot be computed here`)
  return format === 'ascii' ? parseAsciiList(bytes, hash) : parseBinaryList(bytes, hash)
}

function startOf({ startingOffset, carried }: ImaEvidence): ReplayStart {
  if (startingOffset === 0) return fromReset
  return (bank: HashAlgorithm) => {
    const text = carried && Object.hasOwn(carried, bank.name) ? carried[bank.name] : undefined
    return text === undefined ? undefined : fromHex(text, 'carried')
  }
}

function certifiedBy(
  items: readonly ImaItem[],
  replays: readonly BankReplay[],
): ImaCertified | undefined {
  const matches = replays.flatMap(({ bank, match }) => (match ? [{ bank, ...match }] : []))
  if (matches.length === 0 || matches.length < replays.length) return undefined
  const entriesCertified = Math.min(...matches.map((match) => match.items))
  const linesCertified = items.slice(0, entriesCertified).reduce((sum, { lines }) => sum + lines, 0)
  return {
    entriesCertified,
    linesCertified,
    entries: items.length,
    carried: Object.fromEntries(matches.map(({ bank, value }) => [bank, toHex(value)])),
    rules: Object.fromEntries(matches.map(({ bank, rule }) => [bank, rule])),
  }
}

function limited(found: readonly Finding[]): readonly Finding[] {
  if (found.length <= MAX_FINDINGS) return found
  const kept = found.slice(0, MAX_FINDINGS)
  const rest = found.slice(MAX_FINDINGS)
  const worst = rest.find((each) => each.reason === 'broken_evidence_chain') ?? rest[0]
  if (!worst) return kept
  const message = `${rest.length} more findings of entries, among them: ${worst.context.message}`
  return [...kept, { ...worst, context: { message, suppressed: rest.length } }]
}
