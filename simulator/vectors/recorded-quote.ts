import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { HASHES } from '../tpm/hash.ts'
import { parsePcrBlob } from '../tpm/pcr-blob.ts'
import type { Evidence } from './form.ts'
import type { BankValues } from './quote/attest-overrides.ts'
import { base64, policyOf, type QuoteBytes, quoteText } from './quote/soft-quote.ts'

const BOOT = fileURLToPath(new URL('../../fixtures/boots/full-ovmf-imasig/', import.meta.url))

/** Qualifying data of every attestation of the recorded boot. */
const RECORDED_NONCE = 'Ab3dEfGh1jKlMnOpQrSt'

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

/** Returns the values of one bank in a PCR blob, in which banks follow each other. */
function valuesOf(pcrs: Uint8Array, bank: BankValues['bank']): BankValues {
  const { selections, values } = parsePcrBlob(pcrs)
  const at = selections.findIndex(({ hash }) => hash === HASHES[bank].alg)
  const first = selections.slice(0, at).reduce((sum, one) => sum + one.pcrs.length, 0)
  const own = selections[at]?.pcrs ?? []
  const required = own.map(
    (pcr, index) => [pcr, values[first + index] ?? new Uint8Array()] as const,
  )
  return { bank, values: new Map(required) }
}

/** Returns a recorded quote as evidence, with a policy that requires the values of one bank. */
export function recordedEvidence(name: string, key: string, bank: BankValues['bank']): Evidence {
  const bytes = recordedBytes(name)
  return {
    attestation_key: base64(recorded(`${key}.tpm2b_public`)),
    nonce: RECORDED_NONCE,
    hash_alg: bank,
    quote: quoteText(bytes),
    tpm_policy: policyOf(valuesOf(bytes.pcrs, bank)),
  }
}
