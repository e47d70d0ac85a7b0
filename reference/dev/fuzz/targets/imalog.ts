import { toHex } from '../../../bytes/hex.ts'
import type { Check } from '../../../evidence/check.ts'
import type { ImaEntryCase } from '../../../evidence/ima/entry-case.ts'
import { imaEntryChecks } from '../../../evidence/ima/entry-checks.ts'
import {
  evaluateIma,
  type ImaEvaluation,
  type ImaListCase,
  imaListChecks,
} from '../../../evidence/ima/evaluate-ima.ts'
import { LineMemo } from '../../../evidence/ima/list/line-memo.ts'
import { evaluateQuote } from '../../../evidence/quote/quote.ts'
import type { VerifiedPcrs } from '../../../evidence/quote/verified-pcrs.ts'
import { HONEST_LISTS, type ImaRun, READ_POLICIES } from '../ima-lists.ts'
import { blobOf, HONEST_QUOTES } from '../machines.ts'
import { imaMustNotPass } from '../models/ima-model.ts'
import { mutateImaRun } from '../mutators/imalog.ts'
import { saidBy } from '../says.ts'
import type { Judgement, Target } from '../target.ts'

/** The checks of a list; mutants lack one of them. */
export interface ImaChecks {
  readonly list: readonly Check<ImaListCase>[]
  readonly entry: readonly Check<ImaEntryCase>[]
}

/** IMA measurement lists, ASCII and binary, beside the PCR 10 they have to replay to. */
export function imalogTarget(
  checks: ImaChecks = { list: imaListChecks, entry: imaEntryChecks },
): Target<ImaRun> {
  return {
    name: 'imalog',
    honest: HONEST_LISTS,
    mutate: mutateImaRun,
    judge(run) {
      const cold = evaluate(run, checks)
      const changed = differsWarm(run, checks, cold)
      if (cold.findings.length > 0)
        return { verdict: 'fail', says: saidBy(cold.findings), ...changed }
      const mustNotPass = imaMustNotPass(run, cold.certified)
      return { verdict: 'pass', says: [], ...changed, ...(mustNotPass && { mustNotPass }) }
    },
  }
}

function evaluate(run: ImaRun, { list, entry }: ImaChecks, memo?: LineMemo): ImaEvaluation {
  const policy = READ_POLICIES[run.policy]
  const texts = Object.entries(run.carried).map(([bank, value]) => [bank, toHex(value)])
  const evidence = {
    format: run.format === 'ascii' ? ('ascii' as const) : ('binary' as const),
    bytes: run.list,
    startingOffset: run.offset,
    carried: Object.fromEntries(texts),
  }
  const expected = {
    ignoreTomtouErrors: run.ignoreViolations,
    bootAggregates: new Set<string>(),
    ...(policy && { policy }),
  }
  return evaluateIma(evidence, quoted(run), expected, list, entry, memo)
}

const IDS: Readonly<Record<string, number>> = { sha1: 4, sha256: 11, sha384: 12, sha512: 13 }

/** The quoted values as proven ones. With no checks asked, a quote proves whatever it is said to. */
function quoted({ quoted: values }: ImaRun): VerifiedPcrs {
  const [quote] = HONEST_QUOTES
  if (!quote) throw new Error('there is no honest quote')
  const banks = Object.entries(values).map(
    ([bank, value]) => [bank, IDS[bank] ?? 0, [[10, value]]] as const,
  )
  // A quote covers something: a PCR that is not 10 stands in where PCR 10 was not quoted.
  const bytes = blobOf(banks.length > 0 ? banks : [['sha256', 11, [[0, new Uint8Array(32)]]]])
  const { verified, findings } = evaluateQuote(
    {
      attestationKey: quote.attestationKey,
      nonce: quote.nonce,
      hashAlgorithm: 'sha256',
      acceptedHashes: [],
      acceptedSchemes: [],
      requestedPcrs: { bank: '', pcrs: [] },
      quote: {
        message: quote.message,
        signature: quote.signature,
        claimed: { form: 'blob', bytes },
      },
    },
    [],
  )
  if (!verified) throw new Error(`no value was proven: ${findings[0]?.context.message}`)
  return verified
}

/** Lists of which one in so many is judged a second time by a memory that has seen the honest one. */
const ONE_IN = 8

function differsWarm(
  run: ImaRun,
  checks: ImaChecks,
  cold: ImaEvaluation,
): Pick<Judgement, 'changed'> {
  const honest = HONEST_LISTS[run.of]
  if (!honest || run.list.length % ONE_IN > 0) return {}
  const memo = new LineMemo()
  evaluate({ ...honest, policy: run.policy }, checks, memo)
  const warm = evaluate(run, checks, memo)
  const same = JSON.stringify(outcome(warm)) === JSON.stringify(outcome(cold))
  return same
    ? {}
    : { changed: 'a list is judged in another way by a verifier that knows its lines' }
}

function outcome({ findings, certified }: ImaEvaluation): unknown {
  return { findings, certified }
}
