import { type Call, type Handler, versionOf } from '../../../api/call.ts'
import { present } from '../../../api/reply-shape.ts'
import { ApiError } from '../../../errors.ts'
import { hashes } from '../../../tpm/algorithms.ts'
import { QuoteFault } from '../../attester/quote-pcrs.ts'
import type { PullAgentParts } from '../agent-parts.ts'
import { optionalParameter, readEntry, readNonce, readPartial } from '../quote-query.ts'
import type { QuoteSource } from '../quote-reply.ts'

/** GET quotes/identity: PCR 16 alone, which binds the node key to the TPM. */
export function quoteIdentity(parts: PullAgentParts): Handler {
  return async (call) => {
    const nonce = readNonce(call, parts.rules)
    const source = await quoteOver(parts, nonce, [])
    return reply(parts, call, { ...source, pubkey: parts.nodeKey.pem })
  }
}

/**
 * GET quotes/integrity: the PCRs of the mask, and the logs that explain them. The logs are read after the quote, so that
 * they hold at least the entries that it covers.
 */
export function quoteIntegrity(parts: PullAgentParts): Handler {
  const { rules, nodeKey } = parts
  return async (call) => {
    const nonce = readNonce(call, rules)
    const mask = readMask(parts, call)
    const isPartial = readPartial(call)
    const entry = readEntry(call)
    const source = await quoteOver(parts, nonce, mask)
    const ima = rules.sendsMeasurementList(mask) ? await parts.imaLog(entry) : undefined
    const boot = rules.sendsBootLog(mask) ? await parts.bootLog() : undefined
    return reply(parts, call, {
      ...source,
      ...(isPartial ? {} : { pubkey: nodeKey.pem }),
      ...(ima && { ima }),
      ...(boot && { boot }),
    })
  }
}

/** `vmask` selected PCRs of a second, virtual TPM; this agent has a single TPM and ignores it. */
function readMask({ rules }: PullAgentParts, call: Call): readonly number[] {
  const mask = optionalParameter(call, 'mask')
  if (mask === undefined) throw new ApiError('malformed_request', 'query parameter mask is missing')
  return rules.pcrsOfMask('mask', mask)
}

async function quoteOver(
  { attester, rules, nodeKey, zlib }: PullAgentParts,
  nonce: Uint8Array,
  mask: readonly number[],
): Promise<QuoteSource> {
  const { algorithms } = attester
  const nodeKeyDigest = rules.nodeKeyDigest(hashes[algorithms.hash], nodeKey.pem)
  const pcrs = rules.withNodeKey(mask)
  try {
    const quoted = await attester.quote({ nonce, pcrs, nodeKeyDigest })
    const boottime = Number((await attester.uptime()) / 1000n)
    return { quoted, algorithms, zlib, boottime }
  } catch (cause) {
    const why = cause instanceof QuoteFault ? cause.message : 'the TPM does not serve'
    throw new ApiError('quote_unobtainable', `There is no quote: ${why}.`, { cause })
  }
}

function reply({ rules }: PullAgentParts, call: Call, source: QuoteSource) {
  return { body: present(rules.quoteReply, source, versionOf(call)) }
}
