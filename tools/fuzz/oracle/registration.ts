import { unbase64 } from '../../../conformance/client/bytes.ts'
import { TPMA_OBJECT } from '../../../simulator/tpm/constants.ts'
import { keyObjectOf, type TPMT_PUBLIC } from '../../../simulator/tpm/public.ts'
import type { Members } from '../stages.ts'
import type { Contradiction } from './contradiction.ts'
import { wholeKey } from './reading.ts'

/** Bits that an attestation key has, and one that it has not: it signs what its TPM made, and nothing else. */
const NEEDED = TPMA_OBJECT.restricted | TPMA_OBJECT.sign | TPMA_OBJECT.fixedTPM

function usableKey(text: string): TPMT_PUBLIC | undefined {
  try {
    const key = wholeKey(unbase64(text))
    keyObjectOf(key)
    return key
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

/** Whether a key signs what its TPM made, and nothing else. */
export function attests({ objectAttributes }: TPMT_PUBLIC): boolean {
  return (objectAttributes & NEEDED) === NEEDED && (objectAttributes & TPMA_OBJECT.decrypt) === 0
}

/** What a registration must not say, in any reading. */
export function contradictionsOfRegistration({ aik_tpm }: Members): readonly Contradiction[] {
  if (typeof aik_tpm !== 'string' || aik_tpm === '')
    return [{ id: 'request-form', says: 'registers no attestation key' }]
  const key = usableKey(aik_tpm)
  if (key === undefined)
    return [{ id: 'key-form', says: 'registers a key that is no key in a TPM2B_PUBLIC' }]
  return attests(key)
    ? []
    : [{ id: 'key-attributes', says: 'registers a key that is no restricted signing key of a TPM' }]
}
