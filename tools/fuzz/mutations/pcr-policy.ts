import type { SeededRandom } from '../../../conformance/attempt/random.ts'
import { fromHex, toHex } from '../../../simulator/tpm/write.ts'
import { quotedPcrs } from '../encode.ts'
import { oneOf, turnBit } from '../mutate-bytes.ts'
import type { MachineModel, Mutation, MutationAt } from '../stages.ts'

type Head = Pick<MutationAt<'machine'>, 'id' | 'what' | 'breaks'>

type Wanted = Readonly<Record<string, readonly string[]>>

/** What a tpm_policy lists that wants exactly the quoted values. */
export function fittingPcrs(machine: MachineModel): Wanted {
  return Object.fromEntries(quotedPcrs(machine).map(([pcr, value]) => [pcr, [toHex(value)]]))
}

function turned(value: string, random: SeededRandom): string {
  return toHex(turnBit(fromHex(value), random))
}

/** More PCRs than the baseline quotes, none of them its log's, and a tpm_policy that wants what is made of their values. */
function pcrPolicy(
  head: Head,
  change: (wanted: Wanted, random: SeededRandom) => Readonly<Record<string, unknown>>,
): Mutation {
  return {
    ...head,
    stage: 'machine',
    change: (machine, random) => {
      const numbers = machine.boot === undefined ? [1, 9, 16, 20, 23] : [16, 20, 23]
      const pcrs = numbers.map((pcr) => [pcr, random.bytes(32)] as const)
      const more = { ...machine, pcrs: new Map([...machine.pcrs, ...pcrs]) }
      return { ...more, tpmPolicy: change(fittingPcrs(more), random) }
    },
  }
}

/** One of the PCRs wanted with another value. */
function onePcr(change: (values: readonly string[], random: SeededRandom) => readonly string[]) {
  return (wanted: Wanted, random: SeededRandom): Wanted => {
    const pcr = oneOf(Object.keys(wanted), random)
    return { ...wanted, [pcr]: change(wanted[pcr] ?? [], random) }
  }
}

function maskOf(pcrs: readonly number[]): string {
  return `0x${pcrs.reduce((mask, pcr) => mask | (1 << pcr), 0).toString(16)}`
}

/** Mutations of tpm_policy. */
export const PCR_POLICY_MUTATIONS: readonly Mutation[] = [
  pcrPolicy({ id: 'pcr-policy.fits', what: 'is under a tpm_policy that fits' }, (wanted) => wanted),
  pcrPolicy(
    { id: 'pcr-policy.choice', what: 'is under a tpm_policy with several values for a PCR' },
    onePcr((values, random) => [toHex(random.bytes(32)), ...values, toHex(random.bytes(32))]),
  ),
  pcrPolicy(
    {
      id: 'pcr-policy.one-bad',
      what: 'is under a tpm_policy of which one PCR has another value',
      breaks: 'policy-pcr',
    },
    onePcr((_, random) => [toHex(random.bytes(32))]),
  ),
  pcrPolicy(
    {
      id: 'pcr-policy.bit',
      what: 'is under a tpm_policy that wants a value that differs in a bit',
      breaks: 'policy-pcr',
    },
    onePcr((values, random) => values.map((value) => turned(value, random))),
  ),
  pcrPolicy(
    {
      id: 'pcr-policy.swapped',
      what: 'is under a tpm_policy that wants the values of other PCRs',
      breaks: 'policy-pcr',
    },
    (wanted) => {
      const [[one = '', first = []] = [], [other = '', second = []] = []] = Object.entries(wanted)
      return { ...wanted, [one]: second, [other]: first }
    },
  ),
  pcrPolicy(
    {
      id: 'pcr-policy.no-value',
      what: 'is under a tpm_policy that allows a PCR no value',
      breaks: 'policy-pcr',
    },
    onePcr(() => []),
  ),
  pcrPolicy(
    { id: 'pcr-policy.mask-quoted', what: 'is under a tpm_policy with a mask of quoted PCRs' },
    (wanted) => ({ ...wanted, mask: maskOf([1, 10, 23]) }),
  ),
  pcrPolicy(
    {
      id: 'pcr-policy.mask-unquoted',
      what: 'is under a tpm_policy with a mask of a PCR that is not quoted',
      breaks: 'policy-mask',
    },
    (wanted, random) => ({ ...wanted, mask: maskOf([1, 10, oneOf([17, 18, 22], random)]) }),
  ),
]
