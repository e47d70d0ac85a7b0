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
import type { Draft, Members, Mutation, Parts, Stage, Stages, Step, Story } from './stages.ts'

/** A mutation of the catalogue with the seed of its choices. */
export interface Bend {
  readonly mutation: Mutation
  readonly draw: string
}

/** A recipe that names a mutation which is not in the catalogue. */
export class UnknownMutation extends Error {}

/** The bends of a recipe, each found in the catalogue by its id. Throws {@link UnknownMutation}. */
export function bendsOf(recipe: readonly Step[], catalogue: readonly Mutation[]): readonly Bend[] {
  return recipe.map(({ mutation: id, draw }) => {
    const mutation = catalogue.find((one) => one.id === id)
    if (mutation === undefined) throw new UnknownMutation(`there is no mutation called ${id}`)
    return { mutation, draw }
  })
}

/** What the bends of one stage make of its value, in the order of the recipe. */
export function mutateAt<S extends Stage>(
  stage: S,
  value: Stages[S],
  bends: readonly Bend[],
): Stages[S] {
  return bends.reduce((bent, { mutation, draw }) => {
    if (mutation.stage !== stage) return bent
    const change = mutation.change as (
      value: Stages[S],
      random: ReturnType<typeof seededRandom>,
    ) => Stages[S]
    return change(bent, seededRandom(draw, mutation.id))
  }, value)
}

const IMA_PCR = 10
const FIRMWARE_VERSION = 0x2019_1023_0016_3636n

/** PCR 10 of a machine that measured this since its boot. */
function imaPcr({ measured }: Story): Uint8Array {
  return measured
    .filter(({ pcr }) => pcr === IMA_PCR)
    .reduce((value, entry) => digest('sha256', cat(value, extendValues(entry).sha256)), filled(32))
}

/** The PCRs of the firmware that are quoted. */
function bootPcrs({ boot }: Story): ReadonlyMap<number, Uint8Array> {
  return boot === undefined ? new Map() : replayEvents(boot.events, 'sha256', boot.quoted)
}

/** What a truthful machine says of its story. */
export function draftOf(story: Story): Draft {
  const { boot } = story
  const values = new Map([...bootPcrs(story), ...story.pcrs, [IMA_PCR, imaPcr(story)] as const])
  const pcrs = [...values.keys()].toSorted((one, other) => one - other)
  const ordered = pcrs.map((pcr) => values.get(pcr) ?? filled(32))
  const pcrSelect = [selectPcrs('sha256', pcrs)]
  return {
    attest: {
      magic: TPM_GENERATED_VALUE,
      type: TPM_ST.ATTEST_QUOTE,
      qualifiedSigner: nameOf(tpm2b(writePublic(story.signer.area))),
      extraData: text(story.nonce),
      clockInfo: story.clock,
      firmwareVersion: FIRMWARE_VERSION,
      attested: { kind: 'quote', pcrSelect, pcrDigest: digest('sha256', cat(...ordered)) },
      leftover: filled(0),
    },
    selections: pcrSelect,
    values: ordered,
    listed: story.measured,
    ...(boot && { bootLog: writeLogOf(boot, boot.events) }),
  }
}

/** Bytes of a draft; `sign` is what a key makes of the message, or what a TPM once made of another. */
export function partsOf(
  draft: Draft,
  bends: readonly Bend[],
  shown: TPMT_PUBLIC,
  sign: (message: Uint8Array) => Uint8Array,
): Parts {
  const message = mutateAt('message', writeAttest(draft.attest), bends)
  const parts = {
    message,
    signature: writeSignature(mutateAt('signature', parseSignature(sign(message)), bends)),
    pcrs: writePcrBlob(draft.selections, draft.values),
    key: tpm2b(writePublic(shown)),
    list: writeAsciiList(draft.listed),
    ...(draft.bootLog && { bootLog: draft.bootLog }),
  }
  return mutateAt('parts', parts, bends)
}

/** Members of verify/evidence by the document's names. */
function membersOf(story: Story, parts: Parts): Members {
  const { message, signature, pcrs, key, list, bootLog } = parts
  return {
    nonce: story.nonce,
    quote: `r${[message, signature, pcrs].map(base64).join(':')}`,
    hash_alg: 'sha256',
    tpm_ak: base64(key),
    tpm_ek: base64(key),
    runtime_policy: JSON.stringify(story.policy),
    tpm_policy: JSON.stringify(story.tpmPolicy),
    ima_measurement_list: new TextDecoder().decode(list),
    ...(story.boot && { mb_policy: JSON.stringify(story.boot.policy) }),
    ...(bootLog && { mb_list: base64(bootLog) }),
  }
}

/** Takes a story through all stages to the members of a request, bent on the way. */
export function encodeEvidence(golden: Story, bends: readonly Bend[]): Members {
  const story = mutateAt('story', golden, bends)
  const draft = mutateAt('draft', draftOf(story), bends)
  const parts = partsOf(draft, bends, story.shown, (message) => story.signer.sign(message))
  return mutateAt('members', membersOf(story, parts), bends)
}
