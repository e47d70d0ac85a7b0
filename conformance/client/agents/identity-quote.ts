import type { AttestingMachine } from '../../../simulator/machine/unbooted-machine.ts'
import type { SigningKey } from '../../../simulator/swtpm/signing-key.ts'
import { base64 } from '../bytes.ts'

/** One place in which an identity quote differs from the truth. */
export interface IdentityDefect {
  /** The key that quotes; the attestation key unless told. */
  readonly key?: SigningKey
  readonly signature?: (signature: Uint8Array) => Uint8Array
  /** Edits the PCR part. */
  readonly values?: (blob: Uint8Array) => Uint8Array
}

/** A quote over PCR 10 and a nonce, as `r<message>:<signature>:<pcrs>`. */
export async function identityQuote(
  machine: AttestingMachine,
  nonce: string,
  { key, signature: mutate = same, values = same }: IdentityDefect = {},
): Promise<string> {
  const { message, signature, blob } = await machine.quote({
    qualifyingData: new TextEncoder().encode(nonce),
    bank: 'sha256',
    pcrs: [10],
    ...(key && { handle: key.handle }),
  })
  return `r${[message, mutate(signature), values(blob)].map(base64).join(':')}`
}

export interface IdentityClaim {
  readonly agent_uuid: string
  readonly nonce: string
  readonly quote: string
}

/** Query of verify/identity (interface document, "Verifier, pull model"); every value is percent-encoded unless told. */
export function identityQuery(
  claim: IdentityClaim,
  encode: (text: string) => string = encodeURIComponent,
): string {
  return Object.entries({ hash_alg: 'sha256', ...claim })
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join('&')
}

function same(bytes: Uint8Array): Uint8Array {
  return bytes
}
