import type { Enrolment } from './enrolment.ts'

/** What a static policy says of PCRs. */
export interface PolledPcrs extends Pick<Enrolment, 'measuredBoot'> {
  /** Allowed digests in lower-case hexadecimal, by PCR. */
  readonly staticPcrs?: Readonly<Record<number, readonly string[]>>
  /** PCRs that are to be quoted beside those that are judged. */
  readonly alsoQuoted?: readonly number[]
}

const IMA_PCR = 10
/** PCRs of firmware and boot loader, which a boot policy asks for. */
const BOOT_PCRS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15]

/** PCRs that a policy, a list or a boot log needs in the quote. */
export function quotedPcrs({
  staticPcrs = {},
  measuredBoot,
  alsoQuoted = [],
}: PolledPcrs): readonly number[] {
  const own = Object.keys(staticPcrs).map(Number)
  const pcrs = [...own, ...alsoQuoted, IMA_PCR, ...(measuredBoot ? BOOT_PCRS : [])]
  return [...new Set(pcrs)].toSorted((a, b) => a - b)
}

/** `tpm_policy` of an add-agent request, whose `mask` names every PCR that is to be quoted. */
export function tpmPolicyOf(polled: PolledPcrs): string {
  const mask = quotedPcrs(polled).reduce((bits, pcr) => bits | (1 << pcr), 0)
  return JSON.stringify({ ...polled.staticPcrs, mask: `0x${mask.toString(16)}` })
}
