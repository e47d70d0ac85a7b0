import type { Manufacturer } from '../swtpm/manufacturer.ts'
import type { EndorsementKey } from '../swtpm/provision.ts'
import { parseAttest, type TPMS_ATTEST, writeAttest } from '../tpm/attest.ts'
import type { Attestation } from '../tpm/commands/attestation.ts'
import { nameOf, pemOf } from '../tpm/public.ts'
import type { Machine } from './machine.ts'
import { rsaAttester, type SoftAttester } from './soft-attester.ts'
import { softEndorsementKey } from './soft-endorsement-key.ts'

/** A machine whose keys are outside its TPM: it has the real PCRs, and can sign anything about them. */
export interface SoftMachine extends Machine {
  /** Mutates later attestations; the result is signed with a valid key. Undefined for no change. */
  mutateAttest: ((attest: TPMS_ATTEST) => TPMS_ATTEST) | undefined
}

/** Keys without a TPM, sufficient to register and to open a blob. */
interface SoftKeys {
  readonly ek: Omit<EndorsementKey, 'handle'>
  readonly ak: { readonly public: Uint8Array }
  /** Opens a credential file of tpm2-tools for these keys. */
  open(blob: Uint8Array): Uint8Array
}

const EK_LABEL = 'soft endorsement key'

type Mutate = (attest: TPMS_ATTEST) => TPMS_ATTEST

/** Mutates an attestation of the TPM and signs the result. */
function signAgain(
  attester: SoftAttester,
  { message }: Attestation,
  mutations: readonly (Mutate | undefined)[],
): Attestation {
  const mutated = mutations.reduce(
    (attest, mutate) => mutate?.(attest) ?? attest,
    parseAttest(message),
  )
  const written = writeAttest(mutated)
  return { message: written, signature: attester.sign(written) }
}

/** Puts the Name of the attestation key into a certification. */
function certifying(name: Uint8Array): Mutate {
  return (attest) =>
    attest.attested.kind === 'certify'
      ? { ...attest, attested: { ...attest.attested, name } }
      : attest
}

/**
 * Replaces the keys of a machine by software keys: an endorsement key with a certificate of this manufacturer, and
 * an RSA attestation key that claims to be restricted. A verifier cannot distinguish it from a TPM, so it has to
 * check what such a key signs.
 */
export async function withSoftKeys(
  machine: Machine,
  manufacturer: Manufacturer,
): Promise<SoftMachine> {
  const ek = await softEndorsementKey(EK_LABEL, manufacturer)
  const attester = rsaAttester('soft attestation key')
  const name = nameOf(attester.public)
  const publicPem = pemOf(attester.area)
  const algorithm = 'rsa2048'
  const soft: SoftMachine = Object.assign(Object.create(machine), {
    ek,
    ak: { handle: machine.ak.handle, public: attester.public, name, publicPem, algorithm },
    mutateAttest: undefined,
    async quote(request) {
      const made = await machine.quote(request)
      return { ...made, ...signAgain(attester, made, [soft.mutateAttest]) }
    },
    certify: async (request) =>
      signAgain(attester, await machine.certify(request), [certifying(name), soft.mutateAttest]),
    getTime: async (request) =>
      signAgain(attester, await machine.getTime(request), [soft.mutateAttest]),
    activateCredential: async (blob) => ek.open(blob, name),
  } satisfies Partial<SoftMachine>)
  return soft
}

/** Returns only the keys of a soft machine, certified by this manufacturer. */
export async function softKeys(manufacturer: Manufacturer): Promise<SoftKeys> {
  const ek = await softEndorsementKey(EK_LABEL, manufacturer)
  const attester = rsaAttester('soft attestation key')
  const name = nameOf(attester.public)
  return { ek, ak: { public: attester.public }, open: (blob) => ek.open(blob, name) }
}
