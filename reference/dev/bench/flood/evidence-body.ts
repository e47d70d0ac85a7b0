import { toBase64 } from '../../../bytes/base64.ts'
import { writePcrBlob } from '../../../evidence/quote/pcr-blob.ts'
import { writeQuoteString } from '../../../evidence/quote/quote-string.ts'
import { makeStubAttester, quoted } from '../../../evidence/testing/stub-attester.ts'
import { listOf, pcrAfter, writeEntry } from '../../../evidence/testing/written-list.ts'

const NONCE = 'evidence of a stranger'

/** The body of a verify/evidence request: a valid quote over PCR 10, and the measurement list of these files. */
export function evidenceBody(entries: number): Buffer {
  const list = Array.from({ length: entries }, (_, number) =>
    writeEntry({
      template: 'ima-ng',
      name: `/usr/lib/x86_64-linux-gnu/package-${number % 977}/module-${number}.so`,
      digest: { algorithm: 'sha256', hex: number.toString(16).padStart(64, '0') },
    }),
  )
  const attester = makeStubAttester()
  const claimed = [{ bank: 'sha256', values: new Map([[10, new Uint8Array(pcrAfter(list))]]) }]
  const extraData = new TextEncoder().encode(NONCE)
  const { message, signature } = attester.attest({ extraData, attested: quoted(claimed) })
  const key = toBase64(attester.tpm2bPublic)
  return Buffer.from(
    JSON.stringify({
      nonce: NONCE,
      quote: writeQuoteString({ message, signature, pcrBlob: writePcrBlob(claimed) }),
      ...{ hash_alg: 'sha256', tpm_ak: key, tpm_ek: key },
      ima_measurement_list: Buffer.from(listOf(list)).toString(),
    }),
  )
}
