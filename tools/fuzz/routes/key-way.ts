import { registrationOf } from '../../../conformance/client/agents/registration.ts'
import { base64 } from '../../../conformance/client/bytes.ts'
import type { RegistrarClient } from '../../../conformance/client/registrar-client.ts'
import { writePublic } from '../../../simulator/tpm/public.ts'
import { filled, tpm2b } from '../../../simulator/tpm/write.ts'
import { type Bend, mutateAt } from '../encode.ts'
import { blobOf } from '../findings/answer.ts'
import { goldenStory } from '../golden.ts'
import { REGISTRATION_MUTATIONS } from '../mutations/registration.ts'
import { contradictionsOfRegistration } from '../oracle/registration.ts'
import type { Room } from '../room.ts'
import type { Parts, Story } from '../stages.ts'
import { endorsement, type RegistrationWay } from './registration-way.ts'

const NOTHING = filled(0)

function keyOf(golden: Story, bends: readonly Bend[]): Uint8Array {
  const { shown } = mutateAt('story', golden, bends)
  const parts: Parts = {
    message: NOTHING,
    signature: NOTHING,
    pcrs: NOTHING,
    list: NOTHING,
    key: tpm2b(writePublic(shown)),
  }
  return mutateAt('parts', parts, bends).key
}

/** The attestation key bent, and all that a registration says beside it. */
export async function keyWay(room: Room, { dialect }: RegistrarClient): Promise<RegistrationWay> {
  const golden = goldenStory()
  const ek = await endorsement(room)
  const honest = registrationOf({ ek, ak: { public: tpm2b(writePublic(golden.shown)) } }, dialect)
  const isOfCertificate = ({ mutation }: Bend) => mutation.id.startsWith('ekcert.')
  return {
    mutations: REGISTRATION_MUTATIONS,
    verdict: blobOf,
    says: contradictionsOfRegistration,
    async members(bends) {
      const certificate = bends.some(isOfCertificate) ? { ekcert: base64(ek.certificate) } : {}
      return { ...honest, ...certificate, aik_tpm: base64(keyOf(golden, bends)) }
    },
  }
}
