import { isDeepStrictEqual } from 'node:util'
import { BOOT_POLICY } from '../../../conformance/client/agents/enrolment.ts'
import { unbase64 } from '../../../conformance/client/bytes.ts'
import { jsonIn } from '../../../conformance/scenario.ts'

/** A boot policy that every tenant can read. */
export const bootPolicy = BOOT_POLICY

/** Whether a member of an add-agent request is {@link bootPolicy}, however it is written. */
export function isBootPolicy(text: unknown): boolean {
  return isDeepStrictEqual(jsonIn(text), jsonIn(bootPolicy))
}

/** Whether a member of a body is {@link bootPolicy}: an object, its text, or that in base64. */
export function holdsBootPolicy(body: unknown): boolean {
  return Object.values(Object(body)).some(
    (one) =>
      isBootPolicy(JSON.stringify(one)) ||
      (typeof one === 'string' && [one, policyText(one)].some(isBootPolicy)),
  )
}

/** The text of a policy in base64. */
export function policyText(policy: unknown): string {
  return Buffer.from(unbase64(String(policy))).toString()
}

/** The digests that a `tpm_policy` allows for a PCR, in small letters. */
export function digestsOf(policy: unknown, pcr: number): readonly string[] {
  return [Object(jsonIn(policy))[pcr] ?? []].flat().map((one) => String(one).toLowerCase())
}

/** PCRs that the mask of a `tpm_policy` names; none if it has no hexadecimal mask. */
export function pcrsOfMask(policy: unknown): readonly number[] {
  const { mask } = Object(jsonIn(policy))
  const digits = /^(?:0x)?([0-9a-f]+)$/i.exec(String(mask))?.[1] ?? '0'
  const bits = [...Number.parseInt(digits, 16).toString(2)].reverse()
  return bits.flatMap((bit, pcr) => (bit === '1' ? [pcr] : []))
}
