import { equalBytes } from '../../bytes/equal.ts'
import { toHex } from '../../bytes/hex.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { concat } from '../../bytes/writer.ts'
import { hashByName } from '../../tpm/algorithms.ts'
import { digestHex } from '../../tpm/digest.ts'
import { type Check, runChecks } from '../check.ts'
import { type FailureKind, type Finding, finding } from '../findings.ts'
import type { VerifiedPcrs } from '../quote/verified-pcrs.ts'
import { type BootLog, parseBootLog } from './log/parse-log.ts'
import { MissingDigest, type PcrReplay, replayBootLog } from './log/replay.ts'
import { replayWorkarounds, type WorkaroundName } from './log/workarounds.ts'
import { type BootPolicy, policyPcrs } from './policy/boot-policy.ts'
import { sortEvents } from './policy/boot-policy-case.ts'
import { type BootPolicyCheck, bootPolicyChecks } from './policy/boot-policy-checks.ts'

/** The expectations for a boot log. */
export interface BootExpectations {
  readonly required: boolean
  /** PCRs the log has to explain; those that the policy rests on when absent */
  readonly pcrs?: readonly number[]
  /** the policy for the events of a log that replays; without it they are not checked */
  readonly policy?: BootPolicy
}

/** A boot log, parsed as far as possible, and the quoted values. */
interface BootCase {
  readonly expected: BootExpectations
  /** undefined when no log came */
  readonly log: BootLog | undefined
  readonly problem: WireError | undefined
  /** PCRs of the bank that was asked for */
  readonly quoted: ReadonlyMap<number, Uint8Array>
  readonly banks: readonly string[]
}

function kindOf(problem: WireError): FailureKind {
  return problem instanceof MissingDigest
    ? 'measured_boot.parser.invalid_pcrs_hashes'
    : 'measured_boot.parser.log'
}

/** The checks of a boot log as a whole, in this order. */
const bootChecks: readonly Check<BootCase>[] = [
  {
    id: 'uefi.present',
    why: 'without its log, what a machine booted cannot be known',
    run: ({ expected, log, problem }) =>
      expected.required && !log && !problem
        ? finding('measured_boot.missing_log', 'the boot policy needs a boot log, and none came')
        : undefined,
  },
  {
    id: 'uefi.structure',
    why: 'a log that two readers read differently can hide an event from one of them',
    run: ({ problem }) => problem && finding(kindOf(problem), problem.message),
  },
  {
    id: 'uefi.bank',
    why: 'digests of another bank are not bound to the PCRs that were quoted',
    run: ({ expected, log, banks }) => {
      const missing = banks.filter((bank) => log && !log.banks.includes(bank))
      if (!expected.required || missing.length === 0) return undefined
      return finding(
        'measured_boot.parser.invalid_pcrs_hashes',
        `the log has digests of ${log?.banks.join(', ')}, the quote is of ${missing.join(', ')}`,
      )
    },
  },
  {
    id: 'uefi.quoted',
    why: 'events of a PCR that was not quoted can be invented',
    run: ({ expected, quoted }) => {
      const missing = bootPcrs(expected).filter((pcr) => !quoted.has(pcr))
      if (!expected.required || missing.length === 0) return undefined
      const message = `the boot policy needs PCR ${missing.join(', ')}, which the quote does not cover`
      return finding('measured_boot.missing_pcrs', message, { pcrs: missing })
    },
  },
]

/** The checks of each PCR that the boot policy needs. */
const bootPcrChecks: readonly Check<PcrReplay>[] = [
  {
    id: 'uefi.replay',
    why: 'the log is only as good as its replay to the quoted PCR',
    run: ({ bank, pcr, replayed, quoted }) =>
      equalBytes(replayed, quoted)
        ? undefined
        : finding(
            'measured_boot.invalid_pcr_*',
            `the log replays PCR ${pcr} of ${bank} to ${toHex(replayed)}, quoted is ${toHex(quoted)}`,
            { got: toHex(replayed), expected: toHex(quoted) },
            pcr,
          ),
  },
]

export interface BootEvaluation {
  readonly findings: readonly Finding[]
  /** digests a kernel may show as `boot_aggregate`, when the log replayed to PCR 0-9; lower-case hex */
  readonly bootAggregates: ReadonlySet<string>
  readonly log?: BootLog
  /** tolerated deviations of the log from the specification */
  readonly workarounds: readonly WorkaroundName[]
}

/** The checks of a boot log, list by list. */
export interface BootChecks {
  readonly boot: readonly Check<BootCase>[]
  readonly bootPcr: readonly Check<PcrReplay>[]
  readonly bootPolicy: readonly BootPolicyCheck[]
}

export const defaultBootChecks: BootChecks = {
  boot: bootChecks,
  bootPcr: bootPcrChecks,
  bootPolicy: bootPolicyChecks,
}

const NONE: ReadonlySet<string> = new Set()

/**
 * Evaluates a boot log. Without a boot policy it is only parsed; with one it must replay to the quoted PCRs, and its
 * events must meet the policy.
 *
 * @param bank bank that was asked for, in which the policy's PCRs have to be quoted
 */
export function evaluateUefi(
  bytes: Uint8Array | undefined,
  verified: VerifiedPcrs,
  bank: string,
  expected: BootExpectations,
  checks: BootChecks = defaultBootChecks,
): BootEvaluation {
  const { log, replays, problem } = bytes ? read(bytes, verified) : NOTHING
  const quoted = verified.get(bank) ?? new Map<number, Uint8Array>()
  const banks = [...verified.keys()]
  const findings = runChecks(checks.boot, { expected, log, problem, quoted, banks })
  const needed = bootPcrs(expected)
  const covered = expected.required ? replays.filter(({ pcr }) => needed.includes(pcr)) : []
  const perPcr = covered.flatMap((replay) => runChecks(checks.bootPcr, replay))
  const shown = log && !problem ? evaluateEvents(log, bank, expected, checks.bootPolicy) : undefined
  const bootAggregates = aggregatesOf(replays, verified)
  return {
    findings: [...findings, ...perPcr, ...(shown?.findings ?? [])],
    bootAggregates,
    workarounds: [...(log ? replayWorkarounds(log) : []), ...(shown?.workarounds ?? [])],
    ...(log && { log }),
  }
}

function evaluateEvents(
  log: BootLog,
  bank: string,
  { required, policy }: BootExpectations,
  checks: readonly BootPolicyCheck[],
): Pick<BootEvaluation, 'findings' | 'workarounds'> | undefined {
  const hash = log.banks.includes(bank) ? hashByName(bank) : undefined
  if (!required || !policy || !hash?.digest) return undefined
  const boot = { policy, ...sortEvents(log, hash) }
  const used = boot.events.flatMap(({ data }) =>
    data.kind === 'known' && data.workaround ? [data.workaround] : [],
  )
  const asked = checks.filter(({ of }) => of.includes(policy.name))
  return { findings: runChecks(asked, boot), workarounds: [...new Set(used)] }
}

function bootPcrs(expected: BootExpectations): readonly number[] {
  return expected.pcrs ?? policyPcrs(expected.policy)
}

interface ReadLog {
  readonly log: BootLog | undefined
  readonly replays: readonly PcrReplay[]
  readonly problem: WireError | undefined
}

const NOTHING: ReadLog = { log: undefined, replays: [], problem: undefined }

function read(bytes: Uint8Array, verified: VerifiedPcrs): ReadLog {
  let log: BootLog | undefined
  try {
    log = parseBootLog(bytes)
    return { log, replays: replayBootLog(log, verified), problem: undefined }
  } catch (problem) {
    if (problem instanceof WireError) return { log, replays: [], problem }
    throw problem
  }
}

/** The kernel hashes PCR 0-7, or PCR 0-9 with a hash other than SHA-1, of the bank of its ima_hash. */
function aggregatesOf(replays: readonly PcrReplay[], verified: VerifiedPcrs): ReadonlySet<string> {
  const digests = [...verified.keys()].flatMap((bank) => {
    const ofBank = replays.filter((replay) => replay.bank === bank)
    return [7, 9].flatMap((last) => aggregate(bank, ofBank, last))
  })
  return digests.length > 0 ? new Set(digests) : NONE
}

function aggregate(bank: string, replays: readonly PcrReplay[], last: number): readonly string[] {
  const covered = replays.filter(
    ({ pcr, replayed, quoted }) => pcr <= last && equalBytes(replayed, quoted),
  )
  const hash = hashByName(bank)
  if (!hash?.digest || covered.length !== last + 1) return []
  return [digestHex(hash, concat(...covered.map(({ quoted }) => quoted)))]
}
