import { equalBytes } from '../../bytes/equal.ts'
import { concat } from '../../bytes/writer.ts'
import type { HashAlgorithm } from '../../tpm/algorithms.ts'
import { TPMS_ATTEST } from '../../tpm/attest.ts'
import { decode } from '../../tpm/codec.ts'
import { type Attested, quote, type Signing } from '../../tpm/commands/attestation.ts'
import { extendPcr, readPcrs, resetPcr, selectionOf } from '../../tpm/commands/pcrs.ts'
import { digestOf, extend } from '../../tpm/digest.ts'
import type { Transmit } from '../../tpm/transports/open-tpm.ts'

/** Where the digest of the node key is, so that a quote covers it (interface document, "Pull-mode agent resources"). */
export const NODE_KEY_PCR = 16

/** A quote and the values of the PCRs that it is over, ascending. */
export interface Quoted extends Attested {
  readonly pcrs: ReadonlyMap<number, Uint8Array>
}

interface QuoteRequest {
  readonly nonce: Uint8Array
  readonly pcrs: readonly number[]
  /** Hash of the PCR bank and of the signature. */
  readonly signing: Signing
  /** What PCR 16 is extended with after a reset; it is left as it is without one. */
  readonly nodeKeyDigest?: Uint8Array | undefined
}

/** The PCRs changed between reading and quoting, time after time; or the TPM has them not. */
export class QuoteFault extends Error {}

const TRIES = 5

/**
 * A quote with the values of its PCRs. Others may extend a PCR between the reading and the quoting, which no TPM command
 * does at once, so that it is tried again until the quoted digest is that of the values.
 *
 * @throws {QuoteFault} it never was, or the TPM has no such PCR
 */
export async function quotePcrs(
  transmit: Transmit,
  key: number,
  request: QuoteRequest,
): Promise<Quoted> {
  const { nonce: qualifyingData, pcrs: wanted, signing } = request
  for (let tries = 0; tries < TRIES; tries++) {
    if (wanted.includes(NODE_KEY_PCR)) await measureNodeKey(transmit, request)
    const pcrs = await readPcrs(transmit, signing.hash, wanted)
    const lacking = wanted.find((pcr) => !pcrs.has(pcr))
    if (lacking !== undefined)
      throw new QuoteFault(`the TPM has no PCR ${lacking} in its ${signing.hash.name} bank`)
    const selection = selectionOf(signing.hash, wanted)
    const attested = await quote(transmit, { key, qualifyingData, signing, selection })
    const isSettled = isNodeKeyMeasured(pcrs, request) && isOver(attested, pcrs, signing.hash)
    if (isSettled) return { ...attested, pcrs }
  }
  throw new QuoteFault(`the PCRs changed during each of ${TRIES} quotes`)
}

/** Resets PCR 16 and extends it with the digest, unless it already holds that value. */
async function measureNodeKey(transmit: Transmit, request: QuoteRequest): Promise<void> {
  const { nodeKeyDigest, signing } = request
  if (nodeKeyDigest === undefined) return
  const present = await readPcrs(transmit, signing.hash, [NODE_KEY_PCR])
  if (present.size === 0 || isNodeKeyMeasured(present, request)) return
  await resetPcr(transmit, NODE_KEY_PCR)
  await extendPcr(transmit, signing.hash, NODE_KEY_PCR, nodeKeyDigest)
}

function isNodeKeyMeasured(
  pcrs: ReadonlyMap<number, Uint8Array>,
  { signing: { hash }, nodeKeyDigest }: QuoteRequest,
): boolean {
  const value = pcrs.get(NODE_KEY_PCR)
  if (value === undefined || nodeKeyDigest === undefined) return true
  return equalBytes(value, extend(hash, new Uint8Array(hash.size), nodeKeyDigest))
}

function isOver(
  { message }: Attested,
  pcrs: ReadonlyMap<number, Uint8Array>,
  hash: HashAlgorithm,
): boolean {
  const { attested } = decode(TPMS_ATTEST, message)
  const digest = digestOf(hash, concat(...pcrs.values()))
  return attested.kind === 'quote' && equalBytes(attested.value.pcrDigest, digest)
}
