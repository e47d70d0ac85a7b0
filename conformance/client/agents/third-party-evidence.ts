import type { AttestingMachine } from '../../../simulator/machine/unbooted-machine.ts'
import { runtimePolicyOf } from '../../../simulator/platform/boot-facts.ts'
import type { SigningKey } from '../../../simulator/swtpm/signing-key.ts'
import type { Bank } from '../../../simulator/tpm/hash.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { base64 } from '../bytes.ts'
import { BOOT_POLICY } from './enrolment.ts'

interface ThirdPartyCase {
  /** The nonce in the quote. */
  readonly quoted: string
  /** The nonce in the request. */
  readonly stated: string
  /** Adds the firmware log and a boot policy, and quotes the firmware PCRs. */
  readonly measuredBoot?: boolean
  /** The signing key and AK in the request. Default: the machine's AK. */
  readonly key?: SigningKey
  /** The bank that is quoted. Default: sha256. */
  readonly bank?: Bank
  /** PCRs to quote in addition to PCR 10. Default: the firmware PCRs with `measuredBoot`, else none. */
  readonly pcrs?: readonly number[]
  /** `tpm_policy`: PCR -> allowed values. */
  readonly tpmPolicy?: Readonly<Record<string, readonly string[]>>
  readonly bootLog?: (log: Uint8Array) => Uint8Array | undefined
}

/** Members of verify/evidence, by the names of the document. */
export type ThirdPartyEvidence = Readonly<Record<string, unknown>>

const IMA_PCR = 10
const BOOT_PCRS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15]

/**
 * Evidence for verify/evidence (interface document, "Verify-evidence request"): a quote over PCR 10 as
 * `r<message>:<signature>:<pcrs>`, the measurement list, and a policy that accepts it.
 */
export async function thirdPartyEvidence(
  machine: AttestingMachine,
  { quoted, stated, measuredBoot = false, ...rest }: ThirdPartyCase,
): Promise<ThirdPartyEvidence> {
  const { pcrs = measuredBoot ? BOOT_PCRS : [], bootLog = (log) => log, bank = 'sha256' } = rest
  const log = measuredBoot ? bootLog(machine.uefi.bytes) : undefined
  const { message, signature, blob } = await machine.quote({
    qualifyingData: new TextEncoder().encode(quoted),
    bank,
    pcrs: [IMA_PCR, ...pcrs].toSorted((one, other) => one - other),
    ...(rest.key && { handle: rest.key.handle }),
  })
  return {
    nonce: stated,
    quote: `r${[message, signature, blob].map(base64).join(':')}`,
    hash_alg: bank,
    tpm_ak: base64((rest.key ?? machine.ak).public),
    tpm_ek: base64(machine.ek.public),
    runtime_policy: JSON.stringify(runtimePolicyOf(machine.ima.entries)),
    ima_measurement_list: new TextDecoder().decode(machine.ima.ascii()),
    ...(rest.tpmPolicy && { tpm_policy: JSON.stringify(rest.tpmPolicy) }),
    ...(measuredBoot && { mb_policy: BOOT_POLICY }),
    ...(log && { mb_list: base64(log) }),
  }
}

/** Body of verify/evidence in the form of the dialect. */
export function verifyEvidenceRequest(
  { mb_list, ...members }: ThirdPartyEvidence,
  dialect: Dialect,
): unknown {
  const log = mb_list === undefined ? {} : { [dialect['boot-log-name']]: mb_list }
  const data = { ...members, ...log }
  return dialect['verify-evidence-body'] === 'flat' ? data : { type: 'tpm', data }
}
