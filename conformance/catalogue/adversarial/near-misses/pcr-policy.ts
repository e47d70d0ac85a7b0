import { eccAttester } from '../../../../simulator/machine/soft-attester.ts'
import type { Bank } from '../../../../simulator/tpm/hash.ts'
import { filled, toHex } from '../../../../simulator/tpm/write.ts'
import { type BankValues, pcrValue } from '../../../../simulator/vectors/quote/attest-overrides.ts'
import { softQuote } from '../../../../simulator/vectors/quote/soft-quote.ts'
import { ALTERATIONS, type Members, type NearMiss, type NearMissGroup } from './near-miss.ts'

type Policy = Readonly<Record<string, readonly string[] | string>>

const ROW = 'VER-EVIDENCE-PCR-POLICY'
const MASK_ROW = 'VER-EVIDENCE-PCR-MASK'
const attester = eccAttester('near misses')
const [ZEROS, ONES] = [15, 17]
const PCRS = [0, 1, 4, 8, 9, ZEROS, 16, ONES, 23]
const IMA = 10

function quoted(pcr: number, bank: Bank = 'sha256'): Uint8Array {
  if (pcr === ZEROS) return filled(32)
  return pcr === ONES ? filled(32, 0xff) : pcrValue(bank, pcr)
}

function valuesOf(pcrs: readonly number[], bank: Bank = 'sha256'): BankValues {
  return { bank, values: new Map(pcrs.map((pcr) => [pcr, quoted(pcr, bank)])) }
}

const hex = (pcr: number, bank?: Bank) => toHex(quoted(pcr, bank))
/** A digest that no PCR has. */
const other = (at: number, bank: Bank = 'sha256') => toHex(pcrValue(bank, 100 + at))

function over(banks: readonly BankValues[], tpm_policy: Policy): Members {
  const { tpm_policy: _, ...evidence } = softQuote(attester, banks).evidence
  return { ...evidence, hash_alg: 'sha256', tpm_policy }
}

type Extra = Partial<NearMiss> & { readonly pcrs?: readonly number[] }

function row(sends: string, policy: Policy, { pcrs = PCRS, ...extra }: Extra = {}): NearMiss {
  return { sends, evidence: () => over([valuesOf(pcrs)], policy), ...extra }
}

function miss(sends: string, policy: Policy, extra: Extra = {}): NearMiss {
  return row(sends, policy, { breaks: ROW, ...extra })
}

const banks = () => [valuesOf([0, 8], 'sha1'), valuesOf([0, 8])]

const ALLOWED: readonly NearMiss[] = [
  row('a policy that lists the value first', { 8: [hex(8), other(1), other(2)] }),
  row('a policy that lists the value second', { 8: [other(1), hex(8), other(2)] }),
  row('a policy that lists the value last', { 8: [other(1), other(2), hex(8)] }),
  row('a policy with digests of several banks', {
    8: [other(1, 'sha1'), other(1, 'sha384'), other(1, 'sha512'), hex(8)],
  }),
  row(
    'a policy that lists the values of all PCRs',
    Object.fromEntries(PCRS.map((pcr) => [pcr, [hex(pcr)]])),
  ),
  row(
    'a policy with the mask 0x500',
    { mask: '0x500', 8: [hex(8)] },
    { pcrs: [8, IMA], forms: ['ima-pcr-alone'] },
  ),
  {
    sends: 'a quote of two banks whose values of the stated bank are listed',
    forms: ['several-banks'],
    evidence: () => over(banks(), { 0: [hex(0)], 8: [hex(8)] }),
  },
]

/** Values of single PCRs that the policy does not list. */
const VALUES: readonly NearMiss[] = [
  ...ALTERATIONS.map(([says, alter]) =>
    miss(`a policy that lists a value ${says}`, { 8: [toHex(alter(quoted(8)))] }),
  ),
  miss('a policy that lists the first 20 bytes of the value', { 8: [hex(8).slice(0, 40)] }),
  miss('a policy that lists the value and 16 bytes more', { 8: [`${hex(8)}${'0'.repeat(32)}`] }),
  miss('a policy that lists no value for a PCR', { 8: [] }),
  miss('a policy that lists the value of the next PCR', { 8: [hex(9)] }),
  miss('a policy that lists the values of two PCRs for each other', { 8: [hex(9)], 9: [hex(8)] }),
  ...[0, 4, 8, ZEROS, 16, ONES, 23].map((pcr) =>
    miss(`a policy that lists another value for PCR ${pcr}`, { [pcr]: [other(pcr)] }),
  ),
  miss('the same as before once more', { 23: [other(23)] }),
  miss(
    'a policy that lists another value for PCR 10',
    { [IMA]: [other(IMA)] },
    { pcrs: [8, IMA], forms: ['ima-pcr-alone'] },
  ),
  miss('a policy that lists another value for PCR 8 among several', {
    8: [other(1), other(2), other(3)],
  }),
  {
    sends: 'a quote of two banks with an unlisted value in the stated one',
    breaks: ROW,
    forms: ['several-banks'],
    evidence: () => over(banks(), { 0: [hex(0)], 8: [other(1)] }),
  },
]

/** Policies of several PCRs, of which one has another value or is not quoted. */
const SEVERAL: readonly NearMiss[] = [
  ...[0, 8, 23].map((wrong) =>
    miss(`a policy of PCRs 0, 8 and 23 that lists another value for PCR ${wrong}`, {
      ...{ 0: [hex(0)], 8: [hex(8)], 23: [hex(23)] },
      [wrong]: [other(1)],
    }),
  ),
  ...[0, 8, 23].map((right) =>
    miss(`a policy of PCRs 0, 8 and 23 that lists the value of PCR ${right} only`, {
      ...{ 0: [other(1)], 8: [other(2)], 23: [other(3)] },
      [right]: [hex(right)],
    }),
  ),
  ...[0, 8, 23].map((absent) =>
    miss(
      `a policy of PCRs 0, 8 and 23 with a quote that lacks PCR ${absent}`,
      { 0: [hex(0)], 8: [hex(8)], 23: [hex(23)] },
      { pcrs: PCRS.filter((pcr) => pcr !== absent) },
    ),
  ),
  ...[0, 8, 23].map((alone) =>
    miss(
      `a policy of PCRs 0, 8 and 23 with a quote of PCR ${alone} only`,
      { 0: [hex(0)], 8: [hex(8)], 23: [hex(23)] },
      { pcrs: [alone] },
    ),
  ),
]

/** The PCRs 0, 8 and 23. */
const MASK = '0x800101'
const MASKS: readonly NearMiss[] = [
  row(
    `a policy with the mask ${MASK} and a quote of its PCRs`,
    { mask: MASK },
    { pcrs: [0, 8, 23] },
  ),
  ...[0, 8, 23].map((absent) =>
    miss(
      `a policy with the mask ${MASK} and a quote that lacks PCR ${absent}`,
      { mask: MASK },
      { breaks: MASK_ROW, pcrs: [0, 8, 23].filter((pcr) => pcr !== absent) },
    ),
  ),
  // PCRs have the numbers 0 to 23.
  ...['0x1000000', '0x1800101'].map((mask) =>
    miss(
      `a policy with the mask ${mask}, which names PCR 24`,
      { mask },
      { breaks: MASK_ROW, pcrs: [0, 8, 23] },
    ),
  ),
  miss(
    `a policy with the mask ${MASK} and a value, and a quote of other PCRs`,
    { mask: MASK, 9: [hex(9)] },
    { breaks: MASK_ROW, pcrs: [1, 9, 16] },
  ),
]

export const PCR_POLICY: NearMissGroup = {
  id: 'pcr-policy',
  title: 'The verifier compares every PCR of a static policy, in every byte',
  rows: [...ALLOWED, ...VALUES, ...SEVERAL, ...MASKS, ...ALLOWED.slice(0, 1)],
}
