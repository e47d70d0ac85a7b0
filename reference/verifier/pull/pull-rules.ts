import { constants, createPublicKey, publicEncrypt } from 'node:crypto'
import { type ApiVersion, isWithin } from '../../api/versions.ts'
import { fromBase64, toBase64 } from '../../bytes/base64.ts'
import { KEY_PCR } from '../../evidence/quote/bound-key.ts'
import type { QuoteClock } from '../../evidence/quote/quote-case.ts'
import type { PartForm } from '../../evidence/quote/quote-string.ts'
import type { JsonReply } from '../../http-client/json-client.ts'
import type { Trust } from '../../http-client/trust.ts'
import type { Random } from '../../platform/random.ts'
import { randomText } from '../../platform/random-text.ts'
import type { AgentRow } from '../../storage/databases/database.ts'
import { type CarriedEvidence, certifiedUnder } from '../push/carried.ts'
import { quotesDeeply } from './quotes-deeply.ts'

/** How often, and when, an agent is asked again that does not answer. */
export interface RetrySettings {
  readonly max_retries: number
  readonly retry_interval: number
  readonly exponential_backoff: boolean
}

/** Chooses between the API versions that an agent lists and the one it had before. */
interface VersionChange {
  readonly from: string
  readonly to: ApiVersion
  /** Whether evidence of it verified under the former. */
  readonly hasAttested: boolean
}

/** The rules of polling; a mutant can replace each one. */
export interface PullRules {
  /** 20 letters and digits (interface document, "Limits"). */
  nonce(random: Random): string
  /** The PCR mask of the query, in hexadecimal. */
  mask(pcrs: readonly number[]): string
  /** Whether an agent is asked for deep quotes (docs/deep-quotes.md). */
  quotesDeeply(agent: Pick<AgentRow, 'vtpm_policy'>, version: ApiVersion): boolean
  /** PCRs that the quote has to cover: those of the mask, and that of the node key. */
  quotedPcrs(pcrs: readonly number[]): readonly number[]
  /** The certificate that the agent must present; plain HTTP without it. */
  trust(agent: AgentRow): Trust | undefined
  /** Line of the IMA list to begin with. */
  imaEntry(carried: CarriedEvidence | undefined, policy: string | undefined): number
  /** Whether the machine has been reset since, so that its list and its node key are others. */
  wasReset(carried: CarriedEvidence | undefined, clock: QuoteClock | undefined): boolean
  /** How the parts of a quote are packed under a version. */
  packed(version: string): PartForm
  /** Whether the content type of an answer allows reading it; an absent one does. */
  isReadable(contentType: string | undefined): boolean
  /** Whether an answer is a transient failure, like a failed connection. */
  mayComeLater(status: number): boolean
  /** Whether an answer means that the agent does not support this version. */
  asksForVersion(reply: JsonReply): boolean
  /** The common version of verifier and agent; undefined if there is none. */
  commonVersion(
    supported: readonly ApiVersion[],
    listed: readonly unknown[],
  ): ApiVersion | undefined
  /** Whether an agent may be asked under another version from now on. */
  mayChangeVersion(change: VersionChange): boolean
  /** Whether to retry after that many attempts without an answer. */
  isTriedAgain(tries: number, settings: RetrySettings): boolean
  /** Milliseconds before try `tries`, 1 being the first after the one that failed. */
  retryWait(tries: number, settings: RetrySettings): number
  /** The V key as the agent's node key opens it; base64. */
  encryptV(v: string, nodeKey: string): string
}

/** No connection, or a busy server. */
const LATER: readonly number[] = [408, 500, 502, 503, 504]
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i
const REFUSED_VERSION = /API version not supported/i

export const pullRules: PullRules = {
  nonce: randomText,
  mask: (pcrs) => `0x${pcrs.reduce((mask, pcr) => mask | (1n << BigInt(pcr)), 0n).toString(16)}`,
  quotedPcrs: (pcrs) => [...new Set([...pcrs, KEY_PCR])].sort((one, other) => one - other),
  quotesDeeply,
  trust: ({ mtls_cert }) => (isCertificate(mtls_cert) ? { certificate: mtls_cert } : undefined),
  imaEntry: (carried, policy) => certifiedUnder(carried, policy)?.lines ?? 0,
  wasReset: (carried, clock) =>
    clock !== undefined &&
    carried?.clock !== undefined &&
    clock.resetCount !== carried.clock.resetCount,
  packed: (version) => (version === '1.0' ? 'zlib' : 'plain'),
  isReadable: (contentType) => contentType === undefined || JSON_TYPE.test(contentType),
  mayComeLater: (status) => LATER.includes(status),
  asksForVersion: ({ status, body }) =>
    status === 404 || (status === 400 && REFUSED_VERSION.test(statusTextOf(body))),
  commonVersion: (supported, listed) => supported.findLast((version) => listed.includes(version)),
  mayChangeVersion: ({ from, to, hasAttested }) =>
    from !== to && (!hasAttested || !isWithin(to, { since: '1.0', until: from as ApiVersion })),
  isTriedAgain: (tries, { max_retries }) => tries <= max_retries,
  retryWait: (tries, { retry_interval, exponential_backoff }) =>
    1000 * (exponential_backoff && retry_interval > 1 ? retry_interval ** tries : retry_interval),
  encryptV: (v, nodeKey) => toBase64(publicEncrypt(oaep(nodeKey), fromBase64(v, 'v'))),
}

/** Whether the `mtls_cert` of an agent is one; agents without say `disabled`. */
export function isCertificate(text: string | null | undefined): text is string {
  return text?.includes('-----BEGIN CERTIFICATE-----') === true
}

function statusTextOf(body: unknown): string {
  const { status } = (body ?? {}) as { readonly status?: unknown }
  return typeof status === 'string' ? status : ''
}

/** Agents open OAEP with SHA-1 and no label (ambiguity PADDING). */
function oaep(nodeKey: string) {
  const key = createPublicKey(nodeKey)
  return { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' }
}
