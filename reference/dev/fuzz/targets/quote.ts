import type { Check } from '../../../evidence/check.ts'
import type { Finding } from '../../../evidence/findings.ts'
import { evaluateQuote, quoteChecks } from '../../../evidence/quote/quote.ts'
import type { QuoteCase, QuoteInput } from '../../../evidence/quote/quote-case.ts'
import { claimedOf, clockBefore, HONEST_QUOTES, type QuoteRun, softKeyOf } from '../machines.ts'
import { quoteMustNotPass } from '../models/quote-model.ts'
import { mutateQuote } from '../mutators/quote.ts'
import { saidBy } from '../says.ts'
import type { Judgement, Target } from '../target.ts'

const ACCEPTED_HASHES = ['sha256', 'sha384']
const ACCEPTED_SCHEMES = ['rsassa', 'rsapss', 'ecdsa']

function inputOf(run: QuoteRun, signature: Uint8Array): QuoteInput {
  const previousClock = clockBefore(run)
  return {
    attestationKey: run.attestationKey,
    nonce: run.nonce,
    hashAlgorithm: run.hashAlgorithm,
    signatureScheme: run.signatureScheme,
    acceptedHashes: ACCEPTED_HASHES,
    acceptedSchemes: ACCEPTED_SCHEMES,
    requestedPcrs: { bank: run.bank, pcrs: run.pcrs },
    quote: { message: run.message, signature, claimed: claimedOf(run) },
    ...(previousClock && { previousClock }),
  }
}

/**
 * Quotes, judged by these checks.
 *
 * The check of the signature costs more than all others together and comes last: what fails without it fails, and a
 * soft key signs only what everything else has passed.
 */
export function quoteTarget(checks: readonly Check<QuoteCase>[] = quoteChecks): Target<QuoteRun> {
  const quick = checks.filter(({ id }) => id !== 'quote.signature')
  return {
    name: 'quote',
    honest: HONEST_QUOTES,
    mutate: mutateQuote,
    judge(run) {
      const key = run.signed ? softKeyOf(run.attestationKey) : undefined
      const early = evaluateQuote(inputOf(run, key?.blank ?? run.signature), quick).findings
      if (early.length > 0) return failed(early)
      const input = inputOf(run, key?.sign(run.message) ?? run.signature)
      const { findings, verified } = evaluateQuote(input, checks)
      if (findings.length > 0 || !verified) return failed(findings)
      const mustNotPass = quoteMustNotPass(input, verified)
      return { verdict: 'pass', says: [], ...(mustNotPass !== undefined && { mustNotPass }) }
    },
  }
}

function failed(findings: readonly Finding[]): Judgement {
  return { verdict: 'fail', says: saidBy(findings) }
}
