import { runtimePolicyOf } from '../../simulator/boot-facts.ts'
import type { Machine } from '../../simulator/machine.ts'
import { base64 } from './bytes.ts'
import type { Dialect } from './dialect.ts'
import { BOOT_POLICY } from './enrolment.ts'

export interface ThirdPartyCase {
  /** What the quote is made over. */
  readonly quoted: string
  /** What the request states as the nonce. */
  readonly stated: string
  /** With the firmware log and a boot policy, over the PCRs that firmware extends. */
  readonly measuredBoot?: boolean
}

/** Members of verify/evidence by the document's names, whatever they are called on the wire. */
export type ThirdPartyEvidence = Readonly<Record<string, unknown>>

const IMA_PCR = 10
const BOOT_PCRS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15]

/**
 * Evidence for verify/evidence (interface document, "Verify-evidence request"): a quote over PCR 10 as
 * `r<message>:<signature>:<pcrs>`, the measurement list, and the policy that fits it.
 */
export async function thirdPartyEvidence(
  machine: Machine,
  { quoted, stated, measuredBoot = false }: ThirdPartyCase,
): Promise<ThirdPartyEvidence> {
  const { message, signature, blob } = await machine.quote({
    qualifyingData: new TextEncoder().encode(quoted),
    bank: 'sha256',
    pcrs: [IMA_PCR, ...(measuredBoot ? BOOT_PCRS : [])].toSorted((one, other) => one - other),
  })
  return {
    nonce: stated,
    quote: `r${[message, signature, blob].map(base64).join(':')}`,
    hash_alg: 'sha256',
    tpm_ak: base64(machine.ak.public),
    tpm_ek: base64(machine.ek.public),
    runtime_policy: JSON.stringify(runtimePolicyOf(machine.ima.entries)),
    ima_measurement_list: new TextDecoder().decode(machine.ima.ascii()),
    ...(measuredBoot ? { mb_policy: BOOT_POLICY, mb_list: base64(machine.uefi.bytes) } : {}),
  }
}

/** Body of verify/evidence in the form that the dialect has for it. */
export function verifyEvidenceRequest(
  { mb_list, ...members }: ThirdPartyEvidence,
  dialect: Dialect,
): unknown {
  const log = mb_list === undefined ? {} : { [dialect['boot-log-name']]: mb_list }
  const data = { ...members, ...log }
  return dialect['verify-evidence-body'] === 'flat' ? data : { type: 'tpm', data }
}
