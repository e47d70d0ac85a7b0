import { PolicyError } from '../../evidence/policy-error.ts'
import { KEY_PCR } from '../../evidence/quote/bound-key.ts'
import { parseTpmPolicy, type TpmPolicy } from '../../evidence/quote/tpm-policy.ts'
import { TenantFault } from '../tenant-fault.ts'

/** Which logs the policies require; they decide which PCRs are quoted. */
interface RequiredLogs {
  /** A runtime policy, or keys of file signatures. */
  readonly ima: boolean
  readonly boot: boolean
}

const IMA_PCR = 10
const BOOT_PCRS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15]

/**
 * The text of `tpm_policy` with the `mask` of every required PCR (interface document, "Verifier agent
 * status"). PCR 16 is not named: it is quoted in addition.
 *
 * @param text JSON of PCR number to digests
 * @throws {TenantFault} `policy_not_usable` if another policy already covers a PCR
 */
export function maskedTpmPolicy(text: string, logs: RequiredLogs): string {
  const { allowed, mask } = readPolicy(text)
  const byLogs = [...(logs.ima ? [IMA_PCR] : []), ...(logs.boot ? BOOT_PCRS : [])]
  const taken = [...allowed.keys()].find((pcr) => pcr === KEY_PCR || byLogs.includes(pcr))
  if (taken !== undefined)
    throw unusable(`tpm_policy: PCR ${taken} is covered by ${evaluatorOf(taken)}`)
  const pcrs = [...new Set([...allowed.keys(), ...mask, ...byLogs])]
  const bits = pcrs.reduce((sum, pcr) => sum + 2 ** pcr, 0)
  return JSON.stringify({ ...Object.fromEntries(allowed), mask: `0x${bits.toString(16)}` })
}

function readPolicy(text: string): TpmPolicy {
  try {
    return parseTpmPolicy(text)
  } catch (error) {
    if (error instanceof PolicyError) throw unusable(error.message, error)
    throw error
  }
}

function evaluatorOf(pcr: number): string {
  if (pcr === KEY_PCR) return 'the key that the agent measures into it'
  return pcr === IMA_PCR ? 'the runtime policy' : 'the measured boot policy'
}

function unusable(why: string, cause?: unknown): TenantFault {
  const next =
    'give JSON such as {"0": ["<hex digest>"]}, without the PCRs that other policies cover'
  return new TenantFault('policy_not_usable', `--${why}`, next, cause)
}
