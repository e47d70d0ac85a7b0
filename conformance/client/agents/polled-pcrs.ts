import type { Enrolment } from './enrolment.ts'

/** The PCRs of a static policy and of a quote. */
export interface PolledPcrs extends Pick<Enrolment, 'measured' | 'measuredBoot'> {
  /** Allowed digests in lower-case hexadecimal, by PCR. */
  readonly staticPcrs?: Readonly<Record<number, readonly string[]>>
  /** Additional PCRs to quote, without a policy. */
  readonly alsoQuoted?: readonly number[]
}

const IMA_PCR = 10
/** Quoted in place of PCR 10 without a runtime policy: PCRs 0 and 10 would bring logs with them. */
const SECURE_BOOT_PCR = 7
/** PCRs of firmware and boot loader, which a boot policy needs. */
const BOOT_PCRS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15]

/** PCRs that the policy, the measurement list or the boot log needs in the quote. */
function quotedPcrs({
  staticPcrs = {},
  measured = true,
  measuredBoot,
  alsoQuoted = [],
}: PolledPcrs): readonly number[] {
  const own = Object.keys(staticPcrs).map(Number)
  const always = measured ? IMA_PCR : SECURE_BOOT_PCR
  const pcrs = [...own, ...alsoQuoted, always, ...(measuredBoot ? BOOT_PCRS : [])]
  return [...new Set(pcrs)].toSorted((a, b) => a - b)
}

/** `tpm_policy` of an add-agent request, whose `mask` has every PCR to quote. */
export function tpmPolicyOf(polled: PolledPcrs): string {
  const mask = quotedPcrs(polled).reduce((bits, pcr) => bits | (1 << pcr), 0)
  return JSON.stringify({ ...polled.staticPcrs, mask: `0x${mask.toString(16)}` })
}
