import { at, isSuccess, scenario } from '../../../conformance/scenario.ts'
import { attestationIndex } from '../support/engine.ts'

export default scenario({
  id: 'push.attestation.own-id',
  title: 'The verifier assigns the index of an attestation whatever id the agent sends',
  requirements: ['ATT-INDEX-ASSIGNED'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.soft-keys-accepted',
  async run({ verifier, machines, check, observe }) {
    const agent = await machines.softAgent()
    const { index } = await agent.negotiate()
    const params = { agent_id: agent.id }
    const latest = async () =>
      Number(attestationIndex(at((await verifier.attestation(agent.id, 'latest')).body, 'data')))
    const { data } = agent.capabilities() as { readonly data: object }
    for (const id of ['77', index, 'latest']) {
      const before = await latest()
      const reply = await verifier.call('negotiate', {
        ...{ params, as: agent.credentials, body: { data: { ...data, id } } }, // the defect
        defect: 'an id in the capabilities',
      })
      observe('own id', `HTTP status of capabilities with the id ${id}`, reply.status)
      const assigned = isSuccess(reply) ? before + 1 : before
      check('ATT-INDEX-ASSIGNED', `index that answers capabilities with the id ${id}`)
        .of(isSuccess(reply) ? Number(agent.negotiationIn(reply).index) : assigned)
        .is(assigned)
      check('ATT-INDEX-ASSIGNED', `index of latest after capabilities with the id ${id}`)
        .of(await latest())
        .is(assigned)
    }
  },
})
