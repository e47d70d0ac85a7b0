import { base64, scenario } from '../../../conformance/scenario.ts'
import {
  baselineRegistration,
  openBlob,
  parseCredentialBlob,
  registrationBody,
} from '../support/engine.ts'

const ROW = 'REG-BLOB-ENCRYPTED-TO-EK'
const common = {
  requirements: [ROW],
  role: 'registrar',
  provesFunction: true,
  since: '2.1',
} as const

export default [
  scenario({
    ...common,
    id: 'registrar.binding.fresh-seed.rsa',
    title: 'The registrar encrypts each blob for an RSA endorsement key under another seed',
    async run({ registrar, machines, check }) {
      const agent = await machines.softAgent({ until: 'booted' })
      const seed = async () => {
        const registration = await agent.register()
        return base64(
          await openBlob(registration, registrar.dialect, (blob) => agent.machine.ek.seedOf(blob)),
        )
      }
      const first = await seed()
      check(ROW, 'seed of the second blob')
        .of(await seed())
        .isNot(first)
    },
  }),
  scenario({
    ...common,
    id: 'registrar.binding.fresh-seed.ecc',
    title: 'The registrar encrypts each blob for an ECC endorsement key with another ephemeral key',
    async run({ registrar, verifier, random, check, cleanUp }) {
      const id = random.uuid()
      const body = registrationBody(baselineRegistration('other'), {}, registrar.dialect)
      cleanUp(() => registrar.delete(id, verifier.admin))
      const ephemeralKey = async () => {
        const registration = await registrar.register(id, body)
        return base64(
          await openBlob(
            registration,
            registrar.dialect,
            (blob) => parseCredentialBlob(blob).encryptedSecret,
          ),
        )
      }
      const first = await ephemeralKey()
      check(ROW, 'ephemeral key of the second blob')
        .of(await ephemeralKey())
        .isNot(first)
    },
  }),
]
