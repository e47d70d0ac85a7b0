import { type Call, type Handler, versionOf } from '../../../api/call.ts'
import { present } from '../../../api/reply-shape.ts'
import { type ApiVersion, isWithin } from '../../../api/versions.ts'
import { ApiError } from '../../../errors.ts'
import { hashes } from '../../../tpm/algorithms.ts'
import { type Quoted, QuoteFault } from '../../attester/quote-pcrs.ts'
import type { PullAgentParts } from '../agent-parts.ts'
import { quoteOfHost } from '../deep-quotes.ts'
import { optionalParameter, readEntry, readNonce, readPartial } from '../quote-query.ts'
import type { QuoteSource } from '../quote-reply.ts'

/** The last version with `vmask` (interface document, "Changelog"). */
const VMASK_UNTIL: ApiVersion = '2.0'

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
    const { mask, below } = readMasks(parts, call)
    const isPartial = readPartial(call)
    const entry = readEntry(call)
    const source = await quoteOver(parts, nonce, mask)
    const ima = rules.sendsMeasurementList(mask) ? await parts.imaLog(entry) : undefined
    const boot = rules.sendsBootLog(mask) ? await parts.bootLog() : undefined
    return reply(parts, call, {
      ...source,
      ...(below && { host: await below(source.quoted) }),
      ...(isPartial ? {} : { pubkey: nodeKey.pem }),
      ...(ima && { ima }),
      ...(boot && { boot }),
    })
  }
}

interface Masks {
  /** PCRs of the agent's own TPM. */
  readonly mask: readonly number[]
  /** Quotes the host over a quote of the agent's own TPM. */
  readonly below?: (own: Quoted) => Promise<Quoted>
}

/**
 * With `vmask` the agent's own TPM is the virtual one, and `mask` selects PCRs of its host's (docs/deep-quotes.md). An agent
 * that has a single TPM ignores it, as every agent does since 2.1.
 */
function readMasks({ rules, host }: PullAgentParts, call: Call): Masks {
  const text = optionalParameter(call, 'mask')
  if (text === undefined) throw new ApiError('malformed_request', 'query parameter mask is missing')
  const mask = rules.pcrsOfMask('mask', text)
  if (host === undefined || !isWithin(versionOf(call), { until: VMASK_UNTIL })) return { mask }
  const vmask = optionalParameter(call, 'vmask')
  if (vmask === undefined) return { mask }
  const below = (own: Quoted) => obtained(() => quoteOfHost(host, own, mask))
  return { mask: rules.pcrsOfMask('vmask', vmask), below }
}

async function quoteOver(
  { attester, rules, nodeKey, zlib }: PullAgentParts,
  nonce: Uint8Array,
  mask: readonly number[],
): Promise<QuoteSource> {
  const { algorithms } = attester
  const nodeKeyDigest = rules.nodeKeyDigest(hashes[algorithms.hash], nodeKey.pem)
  const pcrs = rules.withNodeKey(mask)
  return obtained(async () => {
    const quoted = await attester.quote({ nonce, pcrs, nodeKeyDigest })
    const boottime = Number((await attester.uptime()) / 1000n)
    return { quoted, algorithms, zlib, boottime }
  })
}

async function obtained<T>(quote: () => Promise<T>): Promise<T> {
  try {
    return await quote()
  } catch (cause) {
    const why = cause instanceof QuoteFault ? cause.message : 'the TPM does not serve'
    throw new ApiError('quote_unobtainable', `There is no quote: ${why}.`, { cause })
  }
}

function reply({ rules }: PullAgentParts, call: Call, source: QuoteSource) {
  return { body: present(rules.quoteReply, source, versionOf(call)) }
}
