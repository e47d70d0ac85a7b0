import { registrationOf } from '../../../conformance/client/agents/registration.ts'
import { base64 } from '../../../conformance/client/bytes.ts'
import type { RegistrarClient } from '../../../conformance/client/registrar-client.ts'
import { writePublic } from '../../../simulator/tpm/public.ts'
import { filled, tpm2b } from '../../../simulator/tpm/write.ts'
import { baselineMachine } from '../baseline.ts'
import { applyAt, type MutationStep } from '../encode.ts'
import { blobOf } from '../findings/answer.ts'
import { REGISTRATION_MUTATIONS } from '../mutations/registration.ts'
import { contradictionsOfRegistration } from '../oracle/registration.ts'
import type { FuzzSession } from '../session.ts'
import type { MachineModel, Parts } from '../stages.ts'
import { endorsement, type RegistrationWay } from './registration-way.ts'

const NOTHING = filled(0)

function keyOf(baseline: MachineModel, steps: readonly MutationStep[]): Uint8Array {
  const { shown } = applyAt('machine', baseline, steps)
  const parts: Parts = {
    message: NOTHING,
    signature: NOTHING,
    pcrs: NOTHING,
    list: NOTHING,
    key: tpm2b(writePublic(shown)),
  }
  return applyAt('parts', parts, steps).key
}

/** A registration with the mutated attestation key and the other members of the baseline. */
export async function keyWay(
  session: FuzzSession,
  { dialect }: RegistrarClient,
): Promise<RegistrationWay> {
  const baseline = baselineMachine()
  const ek = await endorsement(session)
  const honest = registrationOf({ ek, ak: { public: tpm2b(writePublic(baseline.shown)) } }, dialect)
  const isOfCertificate = ({ mutation }: MutationStep) => mutation.id.startsWith('ekcert.')
  return {
    mutations: REGISTRATION_MUTATIONS,
    verdict: blobOf,
    says: contradictionsOfRegistration,
    async members(steps) {
      const certificate = steps.some(isOfCertificate) ? { ekcert: base64(ek.certificate) } : {}
      return { ...honest, ...certificate, aik_tpm: base64(keyOf(baseline, steps)) }
    },
  }
}
