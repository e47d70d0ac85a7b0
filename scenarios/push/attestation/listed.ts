import { at, listOf, scenario } from '../../../conformance/scenario.ts'
import { attestationIndex } from '../support/engine.ts'

export default scenario({
  id: 'push.attestation.listed',
  title: 'The verifier lists and links attestations by index, and accepts evidence at latest',
  requirements: ['ATT-LIST', 'ATT-SELF-LINK', 'ATT-SUBMIT-BY-LATEST', 'AUT-AGENT-READS-OWN'],
  role: 'verifier',
  since: '3.0',
  async run({ verifier, machines, check, observe }) {
    const agent = await machines.pushAgent()
    const first = await agent.negotiate()
    const second = await agent.negotiate()
    check('ATT-SELF-LINK', 'links.self')
      .of(at(second.reply.body, 'data', 'links', 'self'))
      .matches(`a path that ends in /attestations/${second.index}`, (path) =>
        String(path).endsWith(`/agents/${agent.id}/attestations/${second.index}`),
      )
    const accepted = await agent.submit(second, {}, 'latest')
    check('ATT-SUBMIT-BY-LATEST', 'HTTP status of evidence to latest').of(accepted.status).is(202)
    check('ATT-SUBMIT-BY-LATEST', 'index for which it was accepted')
      .of(attestationIndex(at(accepted.body, 'data')))
      .is(second.index)
    const listed = await verifier.call('list-attestations', {
      params: { agent_id: agent.id },
      as: verifier.admin,
    })
    const ids = listOf(at(listed.body, 'data'))?.map(attestationIndex)
    check('ATT-LIST', 'indexes of the list, sorted')
      .of(ids?.toSorted())
      .is([first.index, second.index])
    observe('list order', 'indexes in the order of the list', ids)
    const own = await verifier.attestation(agent.id, 'latest', agent.credentials)
    check('AUT-AGENT-READS-OWN', 'HTTP status of GET latest with the own token')
      .of(own.status)
      .is(200)
  },
})
