import { X509Certificate } from 'node:crypto'
import { base64 } from '../../../conformance/client/bytes.ts'
import type { Machine } from '../../../simulator/machine/machine.ts'

/** Whether a text is this machine's EK in one of the forms in use (ambiguity EKENC): TPM2B_PUBLIC, DER or PEM. */
export function isEndorsementKey(text: unknown, { ek }: Pick<Machine, 'ek'>): boolean {
  const key = new X509Certificate(ek.certificate).publicKey
  const der = key.export({ format: 'der', type: 'spki' })
  const pem = key.export({ format: 'pem', type: 'spki' })
  return [base64(ek.public), base64(der), pem.toString()].includes(String(text))
}
