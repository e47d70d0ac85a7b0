import { toHex } from '../../bytes/hex.ts'
import { WireError } from '../../bytes/wire-error.ts'
import { type Check, runChecks } from '../check.ts'
import { type Finding, finding } from '../findings.ts'
import { PolicyError } from '../policy-error.ts'
import { LAST_PCR } from './claimed-pcrs.ts'
import { parsePcrNumber } from './subject-data.ts'
import type { VerifiedPcrs } from './verified-pcrs.ts'

/** PCR number -> allowed values in lower-case hex; digests of several banks may stand side by side. */
export interface TpmPolicy {
  readonly allowed: ReadonlyMap<number, readonly string[]>
  /** PCRs that the quote must cover, from `mask`; empty when the text has none */
  readonly mask: readonly number[]
}

/**
 * Reads the `tpm_policy` text of an agent record: PCR number -> list of digests, or one digest, plus `mask`.
 * Digests are hex in either case, with or without `0x`.
 *
 * @param name the text's name in messages: `vtpm_policy` has the same shape
 * @throws {PolicyError} naming the JSON path of the member that is not allowed
 */
export function parseTpmPolicy(text: string, name = 'tpm_policy'): TpmPolicy {
  const { mask, ...pcrs } = parseObject(text, name)
  const allowed = Object.entries(pcrs).map(([key, value]) => {
    const path = `${name}[${JSON.stringify(key)}]`
    return [pcrNumber(key, path), digestsOf(value, path)] as const
  })
  return { allowed: new Map(allowed), mask: mask === undefined ? [] : parseMask(mask, name) }
}

/**
 * The policy that a quote satisfies exactly if it satisfies both of these texts; a PCR for which they have no value in
 * common is allowed none.
 *
 * @throws {PolicyError} as {@link parseTpmPolicy}
 */
export function bothTpmPolicies(one: string, other: string): string {
  const [first, second] = [parseTpmPolicy(one), parseTpmPolicy(other)]
  const pcrs = [...new Set([...first.allowed.keys(), ...second.allowed.keys()])]
  const allowed = pcrs.map((pcr) => {
    const [own, others] = [first.allowed.get(pcr), second.allowed.get(pcr)]
    return [pcr, own && others ? own.filter((value) => others.includes(value)) : (own ?? others)]
  })
  const bits = new Set([...first.mask, ...second.mask])
  const mask = [...bits].reduce((sum, pcr) => sum | (1n << BigInt(pcr)), 0n)
  return JSON.stringify({ ...Object.fromEntries(allowed), mask: `0x${mask.toString(16)}` })
}

function parseObject(text: string, name: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new PolicyError(name, 'is not JSON', { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PolicyError(name, 'expected an object from PCR number to digests')
  return { ...value }
}

function pcrNumber(key: string, path: string): number {
  try {
    return parsePcrNumber(key, path)
  } catch (error) {
    if (error instanceof WireError) throw new PolicyError(error.path, error.problem)
    throw error
  }
}

function digestsOf(value: unknown, path: string): readonly string[] {
  if (typeof value === 'string') return [digestOf(value, path)]
  if (!Array.isArray(value)) throw new PolicyError(path, 'expected a list of hexadecimal digests')
  return value.map((each: unknown, index) => digestOf(each, `${path}[${index}]`))
}

const DIGEST_SIZES: readonly number[] = [20, 32, 48, 64]

function digestOf(value: unknown, path: string): string {
  const digits = typeof value === 'string' ? value.toLowerCase().replace(/^0x/, '') : ''
  if (!/^[0-9a-f]+$/.test(digits)) throw new PolicyError(path, 'expected a hexadecimal digest')
  if (!DIGEST_SIZES.includes(digits.length / 2))
    throw new PolicyError(path, `${digits.length} digits are no digest of a PCR bank`)
  return digits
}

function parseMask(value: unknown, name: string): readonly number[] {
  const digits = typeof value === 'string' ? value.replace(/^0x/i, '') : ''
  const bits = /^[0-9a-fA-F]{1,16}$/.test(digits) ? BigInt(`0x${digits}`) : -1n
  if (bits < 0n || bits >= 1n << BigInt(LAST_PCR + 1))
    throw new PolicyError(`${name}.mask`, `expected hexadecimal text with bits 0 to ${LAST_PCR}`)
  return Array.from({ length: LAST_PCR + 1 }, (_, pcr) => pcr).filter(
    (pcr) => (bits >> BigInt(pcr)) & 1n,
  )
}

/** A policy and the values that it applies to. */
export interface TpmPolicyCase {
  readonly policy: TpmPolicy
  readonly quoted: ReadonlyMap<number, Uint8Array>
}

/** One PCR of a policy; `value` is undefined when it was not quoted. */
export interface TpmPolicyPcrCase {
  readonly pcr: number
  readonly allowed: readonly string[]
  readonly value: Uint8Array | undefined
}

export const tpmPolicyChecks: readonly Check<TpmPolicyCase>[] = [
  {
    id: 'tpm-policy.quoted',
    why: 'a PCR that the attester leaves out would go unchecked',
    run: ({ policy, quoted }) => missing('the policy names', [...policy.allowed.keys()], quoted),
  },
  {
    id: 'tpm-policy.mask',
    why: 'the mask promises that these PCRs are in every quote',
    run: ({ policy, quoted }) => missing('the mask of the policy names', policy.mask, quoted),
  },
]

function missing(
  who: string,
  wanted: readonly number[],
  quoted: ReadonlyMap<number, Uint8Array>,
): Finding | undefined {
  const pcrs = wanted.filter((pcr) => !quoted.has(pcr))
  if (pcrs.length === 0) return undefined
  const message = `${who} PCR ${pcrs.join(', ')}, which the quote does not cover`
  return finding('pcr_validation.missing_pcrs', message, { pcrs })
}

export const tpmPolicyPcrChecks: readonly Check<TpmPolicyPcrCase>[] = [
  {
    id: 'tpm-policy.value',
    why: 'the policy names the only states this PCR may be in',
    run: ({ pcr, allowed, value }) => {
      const got = value && toHex(value)
      if (got === undefined || allowed.includes(got)) return undefined
      const message = `PCR ${pcr} is ${got}, which the policy does not list`
      return finding('pcr_validation.invalid_pcr_*', message, { got, expected: allowed }, pcr)
    },
  },
]

/** Checks the verified values of one bank against a policy. */
export function evaluateTpmPolicy(
  policy: TpmPolicy,
  verified: VerifiedPcrs,
  bank: string,
  checks: readonly Check<TpmPolicyCase>[] = tpmPolicyChecks,
  pcrChecks: readonly Check<TpmPolicyPcrCase>[] = tpmPolicyPcrChecks,
): readonly Finding[] {
  const quoted = verified.get(bank) ?? new Map<number, Uint8Array>()
  const perPcr = [...policy.allowed].flatMap(([pcr, allowed]) =>
    runChecks(pcrChecks, { pcr, allowed, value: quoted.get(pcr) }),
  )
  return [...runChecks(checks, { policy, quoted }), ...perPcr]
}
