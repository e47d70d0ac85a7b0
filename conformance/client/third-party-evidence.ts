import { runtimePolicyOf } from '../../simulator/boot-facts.ts'
import type { Machine } from '../../simulator/machine.ts'
import { base64 } from './bytes.ts'

export interface ThirdPartyEvidence {
  /** What the quote is made over. */
  readonly quoted: string
  /** What the request states as the nonce. */
  readonly stated: string
}

/**
 * Body of verify/evidence (interface document, "Verify-evidence request"), flat as the document has
 * it: a quote over PCR 10 as `r<message>:<signature>:<pcrs>`, the list, and the policy that fits it.
 */
export async function thirdPartyEvidence(
  machine: Machine,
  { quoted, stated }: ThirdPartyEvidence,
): Promise<Readonly<Record<string, unknown>>> {
  const { message, signature, blob } = await machine.quote({
    qualifyingData: new TextEncoder().encode(quoted),
    bank: 'sha256',
    pcrs: [10],
  })
  return {
    nonce: stated,
    quote: `r${[message, signature, blob].map(base64).join(':')}`,
    hash_alg: 'sha256',
    tpm_ak: base64(machine.ak.public),
    tpm_ek: base64(machine.ek.public),
    runtime_policy: JSON.stringify(runtimePolicyOf(machine.ima.entries)),
    ima_measurement_list: new TextDecoder().decode(machine.ima.ascii()),
  }
}
