import type { SeededRandom } from '../../../conformance/attempt/random.ts'
import type { TPMS_ATTEST } from '../../../simulator/tpm/attest.ts'
import { TPM_ALG, TPM_ST } from '../../../simulator/tpm/constants.ts'
import { digest } from '../../../simulator/tpm/hash.ts'
import { selectPcrs, type TPMS_PCR_SELECTION } from '../../../simulator/tpm/pcr-selection.ts'
import { cat, filled, text, toHex, u16, u32 } from '../../../simulator/tpm/write.ts'
import { cutShort, mutateBytes, oneOf, turnBit } from '../mutate-bytes.ts'
import type { Draft, Mutation, MutationAt } from '../stages.ts'

type Fields = Partial<TPMS_ATTEST>
type Quoted = Extract<TPMS_ATTEST['attested'], { readonly kind: 'quote' }>

/** Mutates fields of the attestation before it is signed. */
function attest(
  head: Pick<MutationAt<'draft'>, 'id' | 'what' | 'breaks'>,
  fields: (attest: TPMS_ATTEST, random: SeededRandom) => Fields,
): Mutation {
  const change = (draft: Draft, random: SeededRandom): Draft => ({
    ...draft,
    attest: { ...draft.attest, ...fields(draft.attest, random) },
  })
  return { ...head, stage: 'draft', change }
}

/** Mutates what is attested, where that is a quote. */
function quoted(
  head: Pick<MutationAt<'draft'>, 'id' | 'what' | 'breaks'>,
  change: (quoted: Quoted, random: SeededRandom) => Partial<Quoted>,
): Mutation {
  return attest(head, ({ attested }, random) =>
    attested.kind === 'quote' ? { attested: { ...attested, ...change(attested, random) } } : {},
  )
}

function eachSelection(
  { pcrSelect }: Quoted,
  change: (one: TPMS_PCR_SELECTION) => TPMS_PCR_SELECTION,
): Partial<Quoted> {
  return { pcrSelect: pcrSelect.map(change) }
}

const MAGICS = [0, 0xff544346, 0x47435446, 0xff544348, 0x7f544347]
const OTHER_TYPES = [
  TPM_ST.ATTEST_TIME,
  TPM_ST.ATTEST_CERTIFY,
  TPM_ST.ATTEST_NV,
  TPM_ST.ATTEST_CREATION,
  TPM_ST.ATTEST_COMMAND_AUDIT,
  TPM_ST.ATTEST_SESSION_AUDIT,
  TPM_ST.ATTEST_NV_DIGEST,
  0,
]
const NONCE_SPELLINGS: readonly ((nonce: Uint8Array) => Uint8Array)[] = [
  (nonce) => text(toHex(nonce)),
  (nonce) => cat(nonce, filled(1)),
  (nonce) => nonce.slice(0, -1),
  (nonce) => text(new TextDecoder().decode(nonce).toUpperCase().toLowerCase().slice(1)),
  (nonce) => nonce.toReversed(),
  () => filled(64, 0x61),
]

/** Mutations of TPMS_ATTEST: re-signed where they come before the signature. */
export const ATTEST_MUTATIONS: readonly Mutation[] = [
  attest(
    { id: 'attest.magic', what: 'begins with another magic', breaks: 'magic' },
    (_, random) => ({
      magic: oneOf(MAGICS, random),
    }),
  ),
  attest(
    { id: 'attest.type', what: 'says it is another attestation', breaks: 'type' },
    (_, random) => ({
      type: oneOf(OTHER_TYPES, random),
    }),
  ),
  attest(
    { id: 'attest.certify', what: 'certifies a key instead of quoting', breaks: 'type' },
    ({ qualifiedSigner: name }) => ({
      type: TPM_ST.ATTEST_CERTIFY,
      attested: { kind: 'certify', name, qualifiedName: name },
    }),
  ),
  attest(
    { id: 'attest.time', what: 'attests the time instead of quoting', breaks: 'type' },
    ({ clockInfo, firmwareVersion }) => ({
      type: TPM_ST.ATTEST_TIME,
      attested: { kind: 'time', time: clockInfo.clock, clockInfo, firmwareVersion },
    }),
  ),
  attest(
    { id: 'attest.nonce-other', what: 'is over another nonce', breaks: 'nonce' },
    ({ extraData }, random) => ({
      extraData: random.bytes(extraData.length),
    }),
  ),
  attest(
    { id: 'attest.nonce-bit', what: 'is over a nonce that differs in a bit', breaks: 'nonce' },
    ({ extraData }, random) => ({
      extraData: turnBit(extraData, random),
    }),
  ),
  attest({ id: 'attest.nonce-empty', what: 'is over no nonce', breaks: 'nonce' }, () => ({
    extraData: filled(0),
  })),
  attest(
    { id: 'attest.nonce-spelling', what: 'is over another spelling of the nonce', breaks: 'nonce' },
    ({ extraData }, random) => ({
      extraData: oneOf(NONCE_SPELLINGS, random)(extraData),
    }),
  ),
  attest(
    { id: 'attest.leftover', what: 'has signed bytes after the structure', breaks: 'attest-form' },
    (_, random) => ({
      leftover: random.bytes(oneOf([1, 2, 700], random)),
    }),
  ),
  attest({ id: 'attest.signer', what: 'has a qualifiedSigner of another length' }, (_, random) => ({
    qualifiedSigner: random.bytes(oneOf([0, 22, 34, 50, 66], random)),
  })),
  attest({ id: 'attest.clock', what: 'comes from another clock' }, (_, random) => ({
    clockInfo: {
      clock: oneOf([0n, 1n, 0xffff_ffff_ffff_ffffn], random),
      resetCount: oneOf([0, 1, 0xffffffff], random),
      restartCount: oneOf([0, 1, 0xffffffff], random),
      safe: oneOf([0, 1, 2], random),
    },
  })),
  attest({ id: 'attest.firmware', what: 'comes from other firmware' }, (_, random) => ({
    firmwareVersion: BigInt(random.below(0xffffffff)),
  })),
  quoted({ id: 'attest.selection-none', what: 'quotes no PCR', breaks: 'selection' }, () => ({
    pcrSelect: [],
  })),
  quoted(
    { id: 'attest.selection-twice', what: 'quotes a bank twice', breaks: 'selection' },
    ({ pcrSelect }) => ({
      pcrSelect: [...pcrSelect, ...pcrSelect],
    }),
  ),
  quoted(
    { id: 'attest.selection-unknown', what: 'quotes a bank that is none', breaks: 'selection' },
    (one, random) =>
      eachSelection(one, (selection) => ({
        ...selection,
        hash: oneOf([TPM_ALG.NULL, TPM_ALG.SM3_256, 0x7fff], random),
      })),
  ),
  quoted(
    {
      id: 'attest.selection-bank',
      what: 'quotes another bank than it shows',
      breaks: 'selection-shown',
    },
    (one, random) =>
      eachSelection(one, (selection) => ({
        ...selection,
        hash: oneOf([TPM_ALG.SHA1, TPM_ALG.SHA384, TPM_ALG.SHA512], random),
      })),
  ),
  quoted(
    {
      id: 'attest.selection-more',
      what: 'quotes a PCR that it does not show',
      breaks: 'selection-shown',
    },
    (one, random) =>
      eachSelection(one, (selection) => ({
        ...selection,
        pcrs: [...selection.pcrs, 17 + random.below(6)],
      })),
  ),
  quoted(
    {
      id: 'attest.selection-fewer',
      what: 'shows PCRs that it does not quote',
      breaks: 'selection-shown',
    },
    (one) =>
      eachSelection(one, (selection) => ({ ...selection, pcrs: selection.pcrs.slice(0, -1) })),
  ),
  quoted(
    {
      id: 'attest.selection-size',
      what: 'has a selection bitmap of an odd size',
      breaks: 'selection',
    },
    (one, random) =>
      eachSelection(one, (selection) => ({
        ...selection,
        sizeofSelect: oneOf([0, 1, 2, 5, 255], random),
      })),
  ),
  quoted({ id: 'attest.selection-four', what: 'has a selection bitmap of four bytes' }, (one) =>
    eachSelection(one, (selection) => ({ ...selection, sizeofSelect: 4 })),
  ),
  quoted(
    { id: 'attest.bank-empty', what: 'quotes a second bank without PCRs' },
    ({ pcrSelect }) => ({
      pcrSelect: [...pcrSelect, selectPcrs('sha1', [])],
    }),
  ),
  quoted(
    { id: 'attest.digest', what: 'quotes another digest', breaks: 'pcr-digest' },
    (_, random) => ({
      pcrDigest: random.bytes(32),
    }),
  ),
  quoted(
    { id: 'attest.digest-size', what: 'quotes a digest of an odd size', breaks: 'pcr-digest' },
    ({ pcrDigest }, random) => ({
      pcrDigest: cat(pcrDigest, pcrDigest).slice(0, oneOf([0, 19, 31, 33, 64], random)),
    }),
  ),
  quoted(
    { id: 'attest.digest-again', what: 'quotes the digest of the digest', breaks: 'pcr-digest' },
    ({ pcrDigest }) => ({
      pcrDigest: digest('sha256', pcrDigest),
    }),
  ),
  {
    id: 'message.count',
    stage: 'message',
    what: 'has a huge number of selections',
    change: (message, random) => {
      const over = Uint8Array.from(message)
      const at = Math.max(0, Buffer.from(message).indexOf(u16(TPM_ALG.SHA256), 60) - 4)
      over.set(u32(oneOf([17, 0xffff, 0xffffffff], random)), at)
      return over
    },
  },
  {
    id: 'message.bytes',
    stage: 'message',
    what: 'has mutated bytes under its signature',
    change: mutateBytes,
  },
  {
    id: 'message.cut',
    stage: 'message',
    what: 'ends early',
    breaks: 'attest-form',
    change: cutShort,
  },
  {
    id: 'parts.message-bit',
    stage: 'parts',
    what: 'has a bit turned after it was signed',
    breaks: 'signature',
    change: (parts, random) => ({ ...parts, message: turnBit(parts.message, random) }),
  },
  {
    id: 'parts.message-bytes',
    stage: 'parts',
    what: 'has bytes mutated after it was signed',
    change: (parts, random) => ({ ...parts, message: mutateBytes(parts.message, random) }),
  },
]
