import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parsePcrBlob } from '../tpm/pcr-blob.ts'
import type { BankValues } from './attest-knobs.ts'
import type { Evidence } from './form.ts'
import { base64, policyOf, type QuoteBytes, quoteText } from './soft-quote.ts'

const BOOT = fileURLToPath(new URL('../../fixtures/boots/full-ovmf-imasig/', import.meta.url))

/** Qualifying data of every attestation of the recorded boot. */
export const RECORDED_NONCE = 'Ab3dEfGh1jKlMnOpQrSt'

/** One file of the recorded boot. */
export function recorded(file: string): Uint8Array {
  return new Uint8Array(readFileSync(`${BOOT}${file}`))
}

/** The three files of a recorded quote. */
export function recordedBytes(name: string): QuoteBytes {
  return {
    message: recorded(`${name}.attest`),
    signature: recorded(`${name}.sig`),
    pcrs: recorded(`${name}.pcrs`),
  }
}

/** A recorded quote as evidence, with a policy that asks for the values of its first bank. */
export function recordedEvidence(name: string, key: string, bank: BankValues['bank']): Evidence {
  const bytes = recordedBytes(name)
  const { selections, values } = parsePcrBlob(bytes.pcrs)
  const pcrs = selections[0]?.pcrs ?? []
  const judged = new Map(pcrs.map((pcr, at) => [pcr, values[at] ?? new Uint8Array()]))
  return {
    attestation_key: base64(recorded(`${key}.tpm2b_public`)),
    nonce: RECORDED_NONCE,
    hash_alg: bank,
    quote: quoteText(bytes),
    tpm_policy: policyOf({ bank, values: judged }),
  }
}
