import type { AttestingMachine } from '../../../simulator/machine/unbooted-machine.ts'
import type { SigningKey } from '../../../simulator/swtpm/signing-key.ts'
import { base64 } from '../bytes.ts'
import { type MutateAttest, withMutatedAttest } from './with-mutated-attest.ts'

/** A defect in an identity quote; every absent member is correct. */
export interface IdentityDefect {
  /** The signing key. Default: the attestation key. */
  readonly key?: SigningKey
  /** Mutates the attestation before it is signed. Needs a machine with soft keys. */
  readonly attest?: MutateAttest
  readonly signature?: (signature: Uint8Array) => Uint8Array
  /** Edits the PCR blob. */
  readonly values?: (blob: Uint8Array) => Uint8Array
}

/** A quote over PCR 10 and a nonce, as `r<message>:<signature>:<pcrs>`. */
export async function identityQuote(
  machine: Pick<AttestingMachine, 'quote'>,
  nonce: string,
  { key, attest, signature: mutate = same, values = same }: IdentityDefect = {},
): Promise<string> {
  const { message, signature, blob } = await withMutatedAttest(machine, attest, () =>
    machine.quote({
      qualifyingData: new TextEncoder().encode(nonce),
      bank: 'sha256',
      pcrs: [10],
      ...(key && { handle: key.handle }),
    }),
  )
  return `r${[message, mutate(signature), values(blob)].map(base64).join(':')}`
}

/** What a query of verify/identity states. */
export interface IdentityClaim {
  readonly agent_uuid: string
  readonly nonce: string
  readonly quote: string
  /** Default sha256. */
  readonly hash_alg?: string
}

/** Query of verify/identity (interface document, "Verifier, pull model"). Values are percent-encoded by default. */
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
