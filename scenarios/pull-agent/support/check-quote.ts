import { type Reply, results } from '../../../conformance/attempt/reply.ts'
import { base64 } from '../../../conformance/client/bytes.ts'
import {
  compareQuote,
  measuredForm,
  type QuoteFindings,
} from '../../../conformance/oracle/known-quote.ts'
import { isBase64, type ReadQuote, readQuote } from '../../../conformance/oracle/read-quote.ts'
import type { PullAgent } from '../../../conformance/peers/pull-agent.ts'
import type { Context } from '../../../conformance/scenario.ts'

type QuoteKind = 'INTEGRITY' | 'IDENTITY'

interface QuoteRequest {
  readonly nonce: string
  /** Requested PCRs; absent for an identity quote. */
  readonly pcrs?: readonly number[]
  /** The public key of earlier answers, if this one omits it. */
  readonly pubkey?: string
}

const NODE_KEY_PCR = 16

/** Requirements of every quote, in the order of the checks. */
const EVERY_QUOTE = [
  'QUOTE-PREFIX',
  'QUOTE-PARTS',
  'QUOTE-ATTEST',
  'QUOTE-SIGNATURE',
  'QUOTE-BY-AK',
  'QUOTE-NONCE',
  'QUOTE-PCRS',
  'HASH-IN-USE',
  'PUBKEY-MEASURED',
] as const

/** Returns the requirements that {@link checkQuote} covers. */
export function quoteRequirements(kind: QuoteKind): readonly string[] {
  const own = EVERY_QUOTE.map((what) => `AGT-${kind}-${what}`)
  const masked = ['AGT-INTEGRITY-MASK', 'AGT-INTEGRITY-MASK-EXACT', 'AGT-PCR16-MASK']
  return [...own, ...(kind === 'INTEGRITY' ? masked : [])]
}

type Checking = Pick<Context, 'check' | 'observe'>

/**
 * Compares the quote of a reply with the state of its machine: PCRs, registered key, nonce, and public key. Returns
 * the findings for further checks.
 */
export async function checkQuote(
  { check, observe }: Checking,
  agent: PullAgent,
  reply: Reply,
  kind: QuoteKind,
  { nonce, pcrs: requested = [], pubkey }: QuoteRequest,
): Promise<QuoteFindings> {
  const text = results(reply, 'quote')
  const quote = readQuote(typeof text === 'string' ? text : '')
  const about = (what: (typeof EVERY_QUOTE)[number], subject: string) =>
    check(`AGT-${kind}-${what}`, subject)
  const found = await compareQuote(quote, {
    machine: agent.machine,
    attestationKey: String(agent.registration.body['aik_tpm']),
    nonce,
  })
  about('QUOTE-PREFIX', '`quote`')
    .of(typeof text === 'string' ? text.charAt(0) : text)
    .matches('a text that begins with "r"', (first) => first === 'r')
  // Nothing more can be said of a quote that is not there.
  if (typeof text !== 'string') return found
  about('QUOTE-PARTS', 'the parts between colons').of(formsOf(quote)).is(THREE_PARTS)
  about('QUOTE-ATTEST', 'the first part is a quote of a TPM').of(found.isQuote).is(true)
  about('QUOTE-SIGNATURE', 'the second part is a signature').of(found.isSignature).is(true)
  about('QUOTE-BY-AK', 'the registered key made it').of(found.signed).is(true)
  about('QUOTE-NONCE', 'the nonce in it').of(found.nonce).isOneOf(['text', 'decoded'])
  about('QUOTE-PCRS', 'the third part fits the first').of(found.fits).is(true)
  about('QUOTE-PCRS', "PCRs whose value is not the machine's").of(found.untrue).is([])
  about('HASH-IN-USE', '`hash_alg`').of(results(reply, 'hash_alg')).is(found.bank)
  if (kind === 'INTEGRITY') checkMask({ check, observe }, found, requested)
  const shown = pubkey ?? results(reply, 'pubkey')
  if (found.bank !== undefined && typeof shown === 'string' && found.pcr16 !== undefined) {
    const form = measuredForm(shown, found.bank, found.pcr16)
    about('PUBKEY-MEASURED', 'what PCR 16 was extended with')
      .of(form ?? 'another value')
      .matches('a form of the public key', () => form !== undefined)
    observe('PCR16', 'the form of the public key in PCR 16', form)
  }
  observe('NONCEENC', 'the form of the nonce in the quote', found.nonce)
  return found
}

const THREE_PARTS = ['base64', 'base64', 'base64']

function formsOf({ parts }: ReadQuote): readonly string[] {
  return parts.map((part) => (isBase64(part) ? 'base64' : base64(new TextEncoder().encode(part))))
}

function checkMask(
  { check, observe }: Checking,
  { pcrs }: QuoteFindings,
  requested: readonly number[],
) {
  const others = pcrs.filter((pcr) => pcr !== NODE_KEY_PCR || requested.includes(NODE_KEY_PCR))
  const missing = requested.filter((pcr) => !pcrs.includes(pcr))
  check('AGT-INTEGRITY-MASK', 'PCRs of the mask that are not quoted').of(missing).is([])
  check('AGT-INTEGRITY-MASK-EXACT', 'PCRs that are quoted in addition to PCR 16')
    .of<readonly number[]>(others)
    .is(requested)
  const has16 = pcrs.includes(NODE_KEY_PCR)
  check('AGT-PCR16-MASK', 'whether PCR 16 is quoted')
    .of(has16)
    .meets({ quoted: () => has16, 'not quoted': () => !has16 && !requested.includes(NODE_KEY_PCR) })
  observe('MASK16', 'PCR 16 with a mask that does not name it', has16 ? 'quoted' : 'not quoted')
}
