import type { ApiVersion } from '../../api/versions.ts'
import { StartFault } from '../../errors.ts'
import { type ActivationProof, deepQuoteRules } from '../../evidence/deep-quote/deep-quote.ts'
import type { Attester } from '../attester/attester.ts'
import { type Quoted, QuoteFault } from '../attester/quote-pcrs.ts'
import { quoteText } from './quote-reply.ts'

/** The TPM of a guest, and that of its host. */
export interface BothTpms {
  readonly attester: Attester
  readonly host: Attester
}

/** A quote of the host that is over a quote of its guest. */
export function quoteOfHost(
  host: Pick<Attester, 'quote'>,
  guest: Quoted,
  pcrs: readonly number[],
): Promise<Quoted> {
  return host.quote({ nonce: deepQuoteRules.hostNonce(guest), pcrs })
}

/** Nothing is judged by them when an agent activates. */
const ACTIVATION_PCRS: readonly number[] = [0]

/**
 * The text of the deep quote that activates a guest (docs/deep-quotes.md).
 *
 * @param zlib whether an agent of API 1.0 compresses the parts of its quotes
 * @throws {StartFault} a TPM has no such quote
 */
export async function activationQuote(
  { attester, host }: BothTpms,
  zlib: boolean,
  proof: ActivationProof,
  version: ApiVersion,
): Promise<string> {
  try {
    const nonce = deepQuoteRules.activationNonce(proof)
    const quoted = await attester.quote({ nonce, pcrs: ACTIVATION_PCRS })
    const below = await quoteOfHost(host, quoted, ACTIVATION_PCRS)
    const { algorithms } = attester
    return quoteText({ quoted, host: below, algorithms }, zlib && version === '1.0')
  } catch (cause) {
    if (!(cause instanceof QuoteFault)) throw cause
    const sentence = `there is no deep quote to activate with: ${cause.message}`
    throw new StartFault(sentence, 'check tcti, host_tpm and tpm_hash_alg', cause)
  }
}
