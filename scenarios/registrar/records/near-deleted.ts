import { isSuccess, results, scenario } from '../../../conformance/scenario.ts'

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
    const [kept, deleted] = [random.uuid(), random.uuid()]
    await register(kept)
    await register(deleted)
    await registrar.delete(deleted, verifier.admin)
    check('REG-DELETE-ONLY-ONE', 'aik_tpm of an agent with another id')
      .of(await stateOf(kept))
      .matches('one', (aik) => aik !== 'none')
    for (const [says, deletedOf, nearOf] of NEAR) {
      const id = random.uuid()
      // An id that is no UUID need not be taken.
      const areTaken = (await register(deletedOf(id))) && (await register(nearOf(id)))
      observe('near ids', `whether an id is registered beside one ${says}`, areTaken)
      const before = areTaken ? await stateOf(nearOf(id)) : 'none'
      if (before === 'none') continue
      await registrar.delete(deletedOf(id), verifier.admin) // the defect
      check('REG-DELETE-ONLY-ONE', `aik_tpm of the agent with an id ${says}`)
        .of(await stateOf(nearOf(id)))
        .is(before)
    }
  },
})
