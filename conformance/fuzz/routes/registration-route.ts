import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { EK_RSA2048 } from '../../../simulator/swtpm/templates.ts'
import { writePublic } from '../../../simulator/tpm/public.ts'
import { filled, tpm2b } from '../../../simulator/tpm/write.ts'
import { base64 } from '../../client/bytes.ts'
import type { RegistrarClient } from '../../client/registrar-client.ts'
import { registrationOf } from '../../client/registration.ts'
import { answerOf, blobOf } from '../answer.ts'
import { bendAt, bendsOf } from '../encode.ts'
import { goldenStory } from '../golden.ts'
import { REGISTRATION_MUTATIONS } from '../mutations/registration.ts'
import { contradictionsOfRegistration } from '../oracle/registration.ts'
import type { Room } from '../room.ts'
import { smallerMembers } from '../smaller.ts'
import type { Members, Parts, Recipe, Story } from '../stages.ts'
import type { Route, Shot } from './route.ts'

const NOTHING = filled(0)
/** So many ids are kept until they are deleted again. */
const KEPT = 50

/** An endorsement key in memory, with the certificate that the run's manufacturer gives it. */
async function endorsement({ bench }: Room) {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const spki = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }))
  const modulus = publicKey.export({ format: 'jwk' }).n ?? ''
  const unique = new Uint8Array(Buffer.from(modulus, 'base64url'))
  const area = { ...EK_RSA2048, unique }
  return {
    certificate: await bench.workshop.manufacturer.certifyEk(spki),
    public: tpm2b(writePublic(area)),
  }
}

function keyOf(golden: Story, bends: ReturnType<typeof bendsOf>): Uint8Array {
  const { shown } = bendAt('story', golden, bends)
  const parts: Parts = {
    message: NOTHING,
    signature: NOTHING,
    pcrs: NOTHING,
    list: NOTHING,
    key: tpm2b(writePublic(shown)),
  }
  return bendAt('parts', parts, bends).key
}

function membersOfBody(body: string): Members {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Deletes what was registered, now and then, so that a long campaign leaves no heap. */
function register(room: Room, registrar: RegistrarClient) {
  const made = new Set<string>()
  const sweep = async (): Promise<void> => {
    for (const id of [...made]) {
      await registrar.delete(id, room.admin)
      made.delete(id)
    }
  }
  room.cleanUp(sweep)
  return async (id: string): Promise<void> => {
    made.add(id)
    if (made.size >= KEPT) await sweep()
  }
}

/** Registration under one version: a software key with an EK certificate of the run's own manufacturer. */
export async function registrationRoute(room: Room, version: string): Promise<Route> {
  const registrar = room.registrarOf(version)
  const { dialect } = registrar
  const golden = goldenStory()
  const ek = await endorsement(room)
  const remember = register(room, registrar)
  const idInBody = version === '3.0'
  const withBody = (recipe: Recipe, body: string): Shot => ({
    ...{ recipe, body },
    says: () => contradictionsOfRegistration(membersOfBody(body)),
  })
  const honest = registrationOf({ ek, ak: { public: tpm2b(writePublic(golden.shown)) } }, dialect)
  const ekcert = base64(new Uint8Array(new X509Certificate(ek.certificate).raw))
  return {
    name: `register ${version}`,
    mutations: REGISTRATION_MUTATIONS,
    share: 4,
    withBody,
    async aim(recipe) {
      const bends = bendsOf(recipe, REGISTRATION_MUTATIONS)
      const certificate = recipe.some(({ mutation }) => mutation.startsWith('ekcert.'))
        ? { ekcert }
        : {}
      const members = { ...honest, ...certificate, aik_tpm: base64(keyOf(golden, bends)) }
      return withBody(
        recipe,
        bendAt('body', JSON.stringify(bendAt('members', members, bends)), bends),
      )
    },
    async fire({ body }) {
      const id = room.ownId()
      const named = idInBody ? body.replace('{', `{"agent_id":"${id}",`) : body
      const reply = await registrar.call('register', {
        ...{ params: { agent_id: id }, body: named.replace(',}', '}') },
        defect: 'a mutant of a fuzzer',
      })
      const answer = answerOf(reply, blobOf)
      if (answer.kind === 'passed' || answer.kind === 'unreadable') await remember(id)
      return answer
    },
    *smaller(body) {
      for (const members of smallerMembers(membersOfBody(body))) yield JSON.stringify(members)
    },
  }
}
