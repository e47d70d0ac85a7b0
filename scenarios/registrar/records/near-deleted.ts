import { base64, isSuccess, results, scenario } from '../../../conformance/scenario.ts'

/** Ids that a comparison without case, or one with patterns of SQL, takes for the deleted one. */
const NEAR: readonly (readonly [
  says: string,
  deleted: (id: string) => string,
  near: (id: string) => string,
])[] = [
  ['in capital letters', (id) => id, (id) => id.toUpperCase()],
  ['with a letter in place of an underscore', (id) => `${id}_`, (id) => `${id}a`],
  ['of which it is the beginning', (id) => id, (id) => `${id}0`],
  ['of which it is the end', (id) => id, (id) => `0${id}`],
]

export default scenario({
  id: 'registrar.records.near-deleted',
  title: 'The registrar keeps the agent whose id is almost that of a deleted one',
  requirements: ['REG-DELETE-ONLY-ONE'],
  role: 'registrar',
  since: '2.1',
  until: '2.5',
  perMajor: true,
  async run({ registrar, verifier, machines, random, check, observe }) {
    const stateOf = async (id: string) => {
      const reply = await registrar.read(id, verifier.admin)
      return isSuccess(reply) ? results(reply, 'aik_tpm') : 'none'
    }
    const register = async (id: string) => {
      const agent = await machines.lightAgent({ id, until: 'booted' })
      const reply = await agent.register()
      if (!isSuccess(reply)) return false
      return isSuccess(await agent.activate(await agent.openBlob(reply)))
    }
    const kept = await machines.lightAgent({ until: 'activated' })
    const deleted = await machines.lightAgent({ until: 'activated' })
    await registrar.delete(deleted.id, verifier.admin)
    check('REG-DELETE-ONLY-ONE', 'aik_tpm of an agent with another id')
      .of(await stateOf(kept.id))
      .is(base64(kept.machine.ak.public))
    for (const [says, deletedOf, nearOf] of NEAR) {
      const id = random.uuid()
      // An id that is no UUID need not be taken, and one agent may have an id in either case.
      const areTaken = (await register(deletedOf(id))) && (await register(nearOf(id)))
      const before = await stateOf(nearOf(id))
      const areApart = areTaken && before !== (await stateOf(deletedOf(id)))
      observe('near ids', `whether an id is registered beside one ${says}`, areApart)
      if (!areApart) continue
      await registrar.delete(deletedOf(id), verifier.admin) // the defect
      check('REG-DELETE-ONLY-ONE', `aik_tpm of the agent with an id ${says}`)
        .of(await stateOf(nearOf(id)))
        .is(before)
    }
  },
})
