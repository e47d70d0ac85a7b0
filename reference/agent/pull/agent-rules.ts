import type { ReplyShape } from '../../api/reply-shape.ts'
import type { HashAlgorithm } from '../../tpm/algorithms.ts'
import { digestOf } from '../../tpm/digest.ts'
import { type KeyRules, keyRules } from '../keys/key-rules.ts'
import { type EntryCheck, entryChecks } from '../payload/read-archive.ts'
import { verifyRevocation } from '../revocation/verify-revocation.ts'
import { type AgentInfo, INFO_REPLY } from './info-reply.ts'
import { challengeChecks, nonceChecks, type TextCheck } from './nonce-checks.ts'
import { pcrsOfMask, withNodeKey } from './quote-query.ts'
import { QUOTE_REPLY, type QuoteSource } from './quote-reply.ts'

/** The rules behind an agent's answers; an agent without one of them is a mutant. */
export interface AgentRules {
  readonly nonceChecks: readonly TextCheck[]
  readonly challengeChecks: readonly TextCheck[]
  readonly infoReply: ReplyShape<AgentInfo>
  readonly quoteReply: ReplyShape<QuoteSource>
  readonly pcrsOfMask: typeof pcrsOfMask
  readonly withNodeKey: typeof withNodeKey
  /** The digest that PCR 16 is extended with: that of the public key as sent (ambiguity PCR16). */
  nodeKeyDigest(hash: HashAlgorithm, pem: string): Uint8Array
  /** Whether a log goes with an integrity quote over these PCRs. */
  sendsMeasurementList(mask: readonly number[]): boolean
  sendsBootLog(mask: readonly number[]): boolean
  readonly keys: KeyRules
  /** Checks of the files of a payload. */
  readonly entryChecks: readonly EntryCheck[]
  /** Whether a revocation message is authentic. */
  readonly verifyRevocation: typeof verifyRevocation
}

export const agentRules: AgentRules = {
  nonceChecks,
  challengeChecks,
  infoReply: INFO_REPLY,
  quoteReply: QUOTE_REPLY,
  pcrsOfMask,
  withNodeKey,
  nodeKeyDigest: (hash, pem) => digestOf(hash, new TextEncoder().encode(pem)),
  sendsMeasurementList: (mask) => mask.includes(10),
  sendsBootLog: (mask) => mask.includes(0),
  keys: keyRules,
  entryChecks,
  verifyRevocation,
}
