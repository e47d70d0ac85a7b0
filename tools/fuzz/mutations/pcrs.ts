import type { SeededRandom } from '../../../conformance/attempt/random.ts'
import { TPM_ALG } from '../../../simulator/tpm/constants.ts'
import { cat, filled, toHex, u32, u32le } from '../../../simulator/tpm/write.ts'
import { mutateBytes, oneOf, turnBit } from '../mutate-bytes.ts'
import type { Draft, MachineModel, Mutation, MutationAt } from '../stages.ts'

type Head<S extends 'draft' | 'parts' | 'machine'> = Pick<MutationAt<S>, 'id' | 'what' | 'breaks'>

/** Mutates what is shown of the PCRs; the attestation stays true. */
function shown(
  head: Head<'draft'>,
  change: (draft: Draft, random: SeededRandom) => Partial<Draft>,
): Mutation {
  return { ...head, stage: 'draft', change: (one, random) => ({ ...one, ...change(one, random) }) }
}

function blob(
  head: Head<'parts'>,
  change: (pcrs: Uint8Array, random: SeededRandom) => Uint8Array,
): Mutation {
  return {
    ...head,
    stage: 'parts',
    change: (parts, random) => ({ ...parts, pcrs: change(parts.pcrs, random) }),
  }
}

/** Other PCRs are quoted, with their true values. */
function quotes(
  head: Head<'machine'>,
  change: (random: SeededRandom) => readonly number[],
): Mutation {
  const pcrs = (random: SeededRandom): MachineModel['pcrs'] =>
    new Map(change(random).map((pcr) => [pcr, random.bytes(32)]))
  return { ...head, stage: 'machine', change: (one, random) => ({ ...one, pcrs: pcrs(random) }) }
}

function mutatedValue(
  values: readonly Uint8Array[],
  random: SeededRandom,
  mutation: (value: Uint8Array) => Uint8Array,
) {
  const at = random.below(Math.max(1, values.length))
  return values.map((value, index) => (index === at ? mutation(value) : value))
}

function overwrite(bytes: Uint8Array, at: number, number: Uint8Array): Uint8Array {
  const over = Uint8Array.from(bytes)
  if (at + number.length <= over.length) over.set(number, at)
  return over
}

/** Bytes of the selections of a blob, of one list of digests, and of one digest. */
const [SELECTIONS, LIST, SLOT] = [132, 532, 66]
const SLOTS = Array.from({ length: 8 }, (_, slot) => slot)

/** The bytes behind a digest in its slot of 66 bytes; all of them where the slot is not used. */
function unusedOf(pcrs: Uint8Array, at: number, isUsed: boolean): readonly number[] {
  const used = isUsed ? 2 + (pcrs[at] ?? 0) : 0
  return Array.from({ length: Math.max(0, SLOT - used) }, (_, index) => at + used + index)
}

/** Where a blob has parts that nothing is stored in: selections, digests of a list, and what is behind a digest. */
function unusedParts(pcrs: Uint8Array): readonly number[] {
  const [banks = 0, lists = 0] = [pcrs[0], pcrs[SELECTIONS]]
  const selections = Array.from({ length: SELECTIONS - 4 }, (_, at) => 4 + at).filter(
    (at) => at >= 4 + banks * 8,
  )
  const starts = Array.from({ length: lists }, (_, list) => SELECTIONS + 4 + list * LIST)
  const slots = starts.flatMap((start) =>
    SLOTS.flatMap((slot) => unusedOf(pcrs, start + 4 + slot * SLOT, slot < (pcrs[start] ?? 0))),
  )
  return [...selections, ...slots].filter((at) => at < pcrs.length)
}

const FIRST_PCRS = Array.from({ length: 24 }, (_, pcr) => pcr)
/** Bytes of a blob at which it counts: selections, lists of digests, digests of the first list. */
const COUNTS = [0, 132, 136]
const WRONG_COUNTS = [0, 2, 9, 17, 0xffff, 0x7fffffff, 0xffffffff]

/** Mutations of PCR values, their selection and their blob. */
export const PCR_MUTATIONS: readonly Mutation[] = [
  quotes({ id: 'pcrs.many', what: 'quotes another number of PCRs' }, (random) =>
    FIRST_PCRS.slice(0, oneOf([0, 1, 6, 7, 8, 9, 15, 16, 24], random)),
  ),
  shown(
    { id: 'pcrs.value', what: 'shows another value of a PCR', breaks: 'pcr-digest' },
    ({ values }, random) => ({
      values: mutatedValue(values, random, (value) => turnBit(value, random)),
    }),
  ),
  shown(
    { id: 'pcrs.length', what: 'shows a value of an odd length', breaks: 'pcrs-form' },
    ({ values }, random) => ({
      values: mutatedValue(values, random, (value) =>
        cat(value, value).slice(0, oneOf([0, 20, 31, 33, 48, 64], random)),
      ),
    }),
  ),
  shown(
    { id: 'pcrs.order', what: 'shows values in another order', breaks: 'pcr-digest' },
    ({ values }) => ({
      values: values.toReversed(),
    }),
  ),
  shown(
    {
      id: 'pcrs.relabelled',
      what: 'shows its values as those of other PCRs',
      breaks: 'selection-shown',
    },
    ({ selections }) => ({
      selections: selections.map((one) => ({
        ...one,
        pcrs: one.pcrs.map((pcr) => (pcr + 1) % 24),
      })),
    }),
  ),
  shown(
    {
      id: 'pcrs.bank',
      what: 'shows its values as those of another bank',
      breaks: 'pcrs-form',
    },
    ({ selections }, random) => ({
      selections: selections.map((one) => ({
        ...one,
        hash: oneOf([TPM_ALG.SHA1, TPM_ALG.SM3_256, TPM_ALG.SHA384, 0x7fff], random),
      })),
    }),
  ),
  shown(
    { id: 'pcrs.more', what: 'shows a value more than it selects', breaks: 'pcrs-form' },
    ({ values }, random) => ({
      values: [...values, random.bytes(32)],
    }),
  ),
  shown(
    { id: 'pcrs.fewer', what: 'shows a value fewer than it selects', breaks: 'pcrs-form' },
    ({ values }) => ({
      values: values.slice(0, -1),
    }),
  ),
  shown(
    { id: 'pcrs.addition', what: 'shows a PCR that was not quoted', breaks: 'selection-shown' },
    ({ selections, values }, random) => ({
      selections: selections.map((one) => ({ ...one, pcrs: [...one.pcrs, 23] })),
      values: [...values, random.bytes(32)],
    }),
  ),
  shown(
    { id: 'pcrs.twice', what: 'shows a bank twice', breaks: 'selection-shown' },
    ({ selections, values }) => ({
      selections: [...selections, ...selections],
      values: [...values, ...values],
    }),
  ),
  blob({ id: 'blob.bit', what: 'has a bit turned in its PCR blob' }, turnBit),
  blob({ id: 'blob.bytes', what: 'has mutated bytes in its PCR blob' }, mutateBytes),
  blob(
    {
      id: 'blob.padding',
      what: 'has a PCR blob with something in its unused parts',
      breaks: 'pcrs-padding',
    },
    (pcrs, random) => {
      const unused = unusedParts(pcrs)
      return unused.length === 0 ? pcrs : pcrs.with(oneOf(unused, random), 1 + random.below(255))
    },
  ),
  blob({ id: 'blob.zeros', what: 'has zeros for a PCR blob', breaks: 'pcrs-form' }, (pcrs) =>
    filled(pcrs.length),
  ),
  blob(
    { id: 'blob.longer', what: 'has a PCR blob with bytes after it', breaks: 'pcrs-form' },
    (pcrs, random) => cat(pcrs, random.bytes(1 + random.below(8))),
  ),
  blob({ id: 'blob.count', what: 'has a PCR blob that counts wrong' }, (pcrs, random) =>
    overwrite(pcrs, oneOf(COUNTS, random), u32le(oneOf(WRONG_COUNTS, random))),
  ),
  blob({ id: 'blob.endian', what: 'has a PCR blob that counts big-endian' }, (pcrs, random) =>
    overwrite(pcrs, oneOf(COUNTS, random), u32(1)),
  ),
  blob(
    { id: 'blob.digest-size', what: 'has a digest of a size that cannot be', breaks: 'pcrs-form' },
    (pcrs, random) =>
      overwrite(
        pcrs,
        140,
        oneOf([Uint8Array.of(65, 0), Uint8Array.of(0xff, 0xff), Uint8Array.of(0, 32)], random),
      ),
  ),
  {
    id: 'pcrs.policy',
    stage: 'members',
    what: 'is under a tpm_policy that wants another value',
    breaks: 'policy-pcr',
    change: (members, random) => ({
      ...members,
      tpm_policy: JSON.stringify({ [oneOf([0, 1, 10, 23], random)]: [toHex(random.bytes(32))] }),
    }),
  },
]
