import { seededRandom } from '../../conformance/attempt/random.ts'
import { base64 } from '../../conformance/client/bytes.ts'
import { writeAsciiList } from '../../simulator/ima/ascii.ts'
import { extendValues } from '../../simulator/ima/template.ts'
import { writeAttest } from '../../simulator/tpm/attest.ts'
import { TPM_GENERATED_VALUE, TPM_ST } from '../../simulator/tpm/constants.ts'
import { digest } from '../../simulator/tpm/hash.ts'
import { writePcrBlob } from '../../simulator/tpm/pcr-blob.ts'
import { selectPcrs } from '../../simulator/tpm/pcr-selection.ts'
import { nameOf, type TPMT_PUBLIC, writePublic } from '../../simulator/tpm/public.ts'
import { parseSignature, writeSignature } from '../../simulator/tpm/signature.ts'
import { cat, filled, text, tpm2b } from '../../simulator/tpm/write.ts'
import { writeLogOf } from '../../simulator/uefi/log-form.ts'
import { replayEvents } from '../../simulator/uefi/replay-log.ts'
import type {
  Draft,
  MachineModel,
  Members,
  Mutation,
  Parts,
  Stage,
  Stages,
  Step,
} from './stages.ts'

/** A mutation of the catalogue with the seed of its choices. */
export interface MutationStep {
  readonly mutation: Mutation
  readonly draw: string
}

/** A recipe that names a mutation which is not in the catalogue. */
export class UnknownMutation extends Error {}

/** The steps of a recipe, each found in the catalogue by its id. Throws {@link UnknownMutation}. */
export function mutationSteps(
  recipe: readonly Step[],
  catalogue: readonly Mutation[],
): readonly MutationStep[] {
  return recipe.map(({ mutation: id, draw }) => {
    const mutation = catalogue.find((one) => one.id === id)
    if (mutation === undefined) throw new UnknownMutation(`there is no mutation called ${id}`)
    return { mutation, draw }
  })
}

/** What the steps of one stage make of its value, in the order of the recipe. */
export function applyAt<S extends Stage>(
  stage: S,
  value: Stages[S],
  steps: readonly MutationStep[],
): Stages[S] {
  return steps.reduce((mutated, { mutation, draw }) => {
    if (mutation.stage !== stage) return mutated
    const change = mutation.change as (
      value: Stages[S],
      random: ReturnType<typeof seededRandom>,
    ) => Stages[S]
    return change(mutated, seededRandom(draw, mutation.id))
  }, value)
}

const IMA_PCR = 10
const FIRMWARE_VERSION = 0x2019_1023_0016_3636n

/** PCR 10 of a machine that measured this since its boot. */
function imaPcr({ measured }: MachineModel): Uint8Array {
  return measured
    .filter(({ pcr }) => pcr === IMA_PCR)
    .reduce((value, entry) => digest('sha256', cat(value, extendValues(entry).sha256)), filled(32))
}

/** The PCRs of the firmware that are quoted. */
function bootPcrs({ boot }: MachineModel): ReadonlyMap<number, Uint8Array> {
  return boot === undefined ? new Map() : replayEvents(boot.events, 'sha256', boot.quoted)
}

/** The PCRs that are quoted, ascending, with their true values. */
export function quotedPcrs(machine: MachineModel): readonly (readonly [number, Uint8Array])[] {
  const values = new Map([
    ...bootPcrs(machine),
    ...machine.pcrs,
    [IMA_PCR, imaPcr(machine)] as const,
  ])
  return [...values].toSorted(([one], [other]) => one - other)
}

/** What a truthful machine says of itself. */
function draftOf(machine: MachineModel): Draft {
  const { boot } = machine
  const quoted = quotedPcrs(machine)
  const [pcrs, ordered] = [quoted.map(([pcr]) => pcr), quoted.map(([, value]) => value)]
  const pcrSelect = [selectPcrs('sha256', pcrs)]
  return {
    attest: {
      magic: TPM_GENERATED_VALUE,
      type: TPM_ST.ATTEST_QUOTE,
      qualifiedSigner: nameOf(tpm2b(writePublic(machine.signer.area))),
      extraData: text(machine.nonce),
      clockInfo: machine.clock,
      firmwareVersion: FIRMWARE_VERSION,
      attested: {
        kind: 'quote',
        pcrSelect,
        pcrDigest: digest(machine.hash ?? 'sha256', cat(...ordered)),
      },
      leftover: filled(0),
    },
    selections: pcrSelect,
    values: ordered,
    listed: machine.measured,
    ...(boot && { bootLog: writeLogOf(boot, boot.events) }),
  }
}

/** Bytes of a draft; `sign` is what a key makes of the message, or what a TPM once made of another. */
export function partsOf(
  draft: Draft,
  steps: readonly MutationStep[],
  shown: TPMT_PUBLIC,
  sign: (message: Uint8Array) => Uint8Array,
): Parts {
  const message = applyAt('message', writeAttest(draft.attest), steps)
  const parts = {
    message,
    signature: writeSignature(applyAt('signature', parseSignature(sign(message)), steps)),
    pcrs: writePcrBlob(draft.selections, draft.values),
    key: tpm2b(writePublic(shown)),
    list: writeAsciiList(draft.listed),
    ...(draft.bootLog && { bootLog: draft.bootLog }),
  }
  return applyAt('parts', parts, steps)
}

/** Members of verify/evidence by the document's names. */
function membersOf(machine: MachineModel, parts: Parts): Members {
  const { message, signature, pcrs, key, list, bootLog } = parts
  return {
    nonce: machine.nonce,
    quote: `r${[message, signature, pcrs].map(base64).join(':')}`,
    hash_alg: 'sha256',
    tpm_ak: base64(key),
    tpm_ek: base64(key),
    runtime_policy: JSON.stringify(machine.policy),
    tpm_policy: JSON.stringify(machine.tpmPolicy),
    ima_measurement_list: new TextDecoder().decode(list),
    ...(machine.boot && { mb_policy: JSON.stringify(machine.boot.policy) }),
    ...(bootLog && { mb_list: base64(bootLog) }),
  }
}

/** Takes the model of a machine through all stages to the members of a request, mutated on the way. */
export function encodeEvidence(baseline: MachineModel, steps: readonly MutationStep[]): Members {
  const machine = applyAt('machine', baseline, steps)
  const draft = applyAt('draft', draftOf(machine), steps)
  const parts = partsOf(draft, steps, machine.shown, (message) => machine.signer.sign(message))
  return applyAt('members', membersOf(machine, parts), steps)
}
