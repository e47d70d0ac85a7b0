import type { SeededRandom } from '../../conformance/attempt/random.ts'
import type { ImaEntry } from '../../simulator/ima/list.ts'
import type { SoftAttester } from '../../simulator/machine/soft-attester.ts'
import type { RuntimePolicy } from '../../simulator/platform/boot-facts.ts'
import type { TPMS_ATTEST, TPMS_CLOCK_INFO } from '../../simulator/tpm/attest.ts'
import type { Bank } from '../../simulator/tpm/hash.ts'
import type { TPMS_PCR_SELECTION } from '../../simulator/tpm/pcr-selection.ts'
import type { TPMT_PUBLIC } from '../../simulator/tpm/public.ts'
import type { TPMT_SIGNATURE } from '../../simulator/tpm/signature.ts'
import type { BootPolicy } from '../../simulator/uefi/boot-policy-of.ts'
import type { UefiEvent } from '../../simulator/uefi/log.ts'
import type { LogForm } from '../../simulator/uefi/log-form.ts'
import type { ContradictionId } from './oracle/contradiction.ts'

/** What happened on a machine that exists only here: PCRs, attestation and list follow from it. */
export interface MachineModel {
  /** What the verifier is said to have asked with. */
  readonly nonce: string
  /** Who signs, and the area that is shown as the signer's. */
  readonly signer: Pick<SoftAttester, 'area' | 'sign'>
  readonly shown: TPMT_PUBLIC
  /** What was measured; PCR 10 follows. */
  readonly measured: readonly ImaEntry[]
  /** The other PCRs that are quoted, all in SHA-256. */
  readonly pcrs: ReadonlyMap<number, Uint8Array>
  readonly clock: TPMS_CLOCK_INFO
  /** The hash that the TPM signs with, and makes the digest of PCRs with; SHA-256 unless given. */
  readonly hash?: Bank
  readonly policy: RuntimePolicy
  /** PCR -> accepted values in hexadecimal. */
  readonly tpmPolicy: Readonly<Record<string, unknown>>
  /** How the machine booted; absent if the route needs no firmware log. */
  readonly boot?: BootModel
}

/** What a firmware measured, and how it writes that down: the PCRs follow from it. */
export interface BootModel extends LogForm {
  readonly events: readonly UefiEvent[]
  /** PCRs that are quoted beside that of the list. */
  readonly quoted: readonly number[]
  readonly policy: BootPolicy
}

/** What will be said of it, before anything is signed. */
export interface Draft {
  readonly attest: TPMS_ATTEST
  /** What the PCR blob claims, which a truthful one has from the attestation. */
  readonly selections: readonly TPMS_PCR_SELECTION[]
  readonly values: readonly Uint8Array[]
  readonly listed: readonly ImaEntry[]
  /** The firmware log, where one is handed out. */
  readonly bootLog?: Uint8Array
}

/** What is said, in bytes. */
export interface Parts {
  readonly message: Uint8Array
  readonly signature: Uint8Array
  readonly pcrs: Uint8Array
  /** TPM2B_PUBLIC. */
  readonly key: Uint8Array
  /** The list as the kernel prints it. */
  readonly list: Uint8Array
  readonly bootLog?: Uint8Array
}

/** Members of a request by the document's names. */
export type Members = Readonly<Record<string, unknown>>

/** The stations of evidence on its way to the wire, in this order; a mutation works at one of them. */
export interface Stages {
  readonly machine: MachineModel
  readonly draft: Draft
  /** TPMS_ATTEST in bytes, not yet signed. */
  readonly message: Uint8Array
  readonly signature: TPMT_SIGNATURE
  readonly parts: Parts
  /** An EK certificate (DER) whose maker has yet to sign what it says. */
  readonly certificate: Uint8Array
  /** The EK certificate as it is shown. */
  readonly ekcert: Uint8Array
  readonly members: Members
  /** The body as JSON text. */
  readonly body: string
}

export type Stage = keyof Stages

export interface MutationAt<S extends Stage> {
  /** `<what is mutated>.<how>`, stable: recorded recipes name it. */
  readonly id: string
  readonly stage: S
  /** What it does, as the end of a sentence that begins with "the evidence": `is over another nonce`. */
  readonly what: string
  /** What the evidence then says that it must not; absent when it may be taken or refused. */
  readonly breaks?: ContradictionId
  change(value: Stages[S], random: SeededRandom): Stages[S]
}

export type Mutation = { readonly [S in Stage]: MutationAt<S> }[Stage]

/** One mutation of a recipe; `draw` seeds the choices that the mutation makes. */
export interface Step {
  readonly mutation: string
  readonly draw: string
}

export type Recipe = readonly Step[]
