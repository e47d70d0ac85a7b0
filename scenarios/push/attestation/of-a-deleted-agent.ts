import { at, scenario } from '../../../conformance/scenario.ts'
import { attestationIndex } from '../support/engine.ts'

export default scenario({
  id: 'push.attestation.of-a-deleted-agent',
  title: 'The verifier keeps the attestations of an agent when another one is deleted',
  requirements: ['VER-DELETE-ONLY-ONE'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.attestation.of-two-agents',
  async run({ verifier, machines, check, observe }) {
    const [one, other] = [await machines.softAgent(), await machines.softAgent()]
    const indexesOf = async (agent_id: string) => {
      const call = { as: verifier.admin, params: { agent_id } }
      const data = at((await verifier.call('list-attestations', call)).body, 'data')
      return data === undefined ? undefined : [data].flat().map(attestationIndex)
    }
    await one.negotiate()
    const kept = await other.negotiate()
    await verifier.deleteAgent(one.id) // the defect
    check('VER-DELETE-ONLY-ONE', 'list of the other agent')
      .of(await indexesOf(other.id))
      .is([kept.index])
    await one.enrol()
    const again = await indexesOf(one.id)
    observe('DELETED', 'attestations of an agent that was deleted and added again', again?.length)
  },
})
