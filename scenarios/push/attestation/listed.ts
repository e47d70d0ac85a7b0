import { at, attributes, listOf, scenario } from '../../../conformance/scenario.ts'
import { attestationIndex } from '../support/engine.ts'
import { outcomeOf } from '../support/outcome-of.ts'

export default scenario({
  id: 'push.attestation.listed',
  title: 'The verifier lists and links attestations by index, and accepts evidence at latest',
  requirements: [
    ...['ATT-LIST', 'ATT-LIST-SAME', 'ATT-SELF-LINK', 'ATT-SUBMIT-BY-LATEST'],
    ...['AUT-AGENT-READS-OWN', 'ATT-CREATE-REASON'],
  ],
  role: 'verifier',
  since: '3.0',
  async run({ verifier, machines, random, check, observe }) {
    const agent = await machines.pushAgent()
    const first = await agent.negotiate()
    const second = await agent.negotiate()
    check('ATT-SELF-LINK', 'links.self')
      .of(at(second.reply.body, 'data', 'links', 'self'))
      .matches(`a path that ends in /attestations/${second.index}`, (path) =>
        String(path).endsWith(`/agents/${agent.id}/attestations/${second.index}`),
      )
    await agent.logIn() // another token of the agent serves as well
    const accepted = await agent.submit(second, {}, 'latest')
    check('ATT-SUBMIT-BY-LATEST', 'HTTP status of evidence to latest').of(accepted.status).is(202)
    check('ATT-SUBMIT-BY-LATEST', 'index for which it was accepted')
      .of(attestationIndex(at(accepted.body, 'data')))
      .is(second.index)
    const params = { agent_id: agent.id }
    const list = async (as = verifier.admin) =>
      listOf(at((await verifier.call('list-attestations', { params, as })).body, 'data')) ?? []
    const ids = (await list()).map(attestationIndex)
    check('ATT-LIST', 'indexes of the list, sorted')
      .of(ids.toSorted())
      .is([first.index, second.index])
    observe('list order', 'indexes in the order of the list', ids)
    const own = await verifier.attestation(agent.id, 'latest', agent.credentials)
    check('AUT-AGENT-READS-OWN', 'HTTP status of GET latest with the own token')
      .of(own.status)
      .is(200)
    // One that fails, one that passes after it, and one that waits: each has its own failure_reason.
    const failed = await agent.negotiate()
    await agent.submit(failed, { challenge: random.bytes(32) })
    await agent.verdict(failed)
    const offered = await agent.offerInTurn()
    check('ATT-CREATE-REASON', 'failure_reason of capabilities after a failure')
      .of(attributes(offered, 'failure_reason') ?? null)
      .is(null)
    // A failure may stop an agent (ambiguity FAILFLAG).
    if ((await outcomeOf(agent, offered)) !== 'refused') await agent.negotiate()
    await agent.verdict(second)
    const listed = await list()
    check('AUT-AGENT-READS-OWN', 'indexes of the list that is read with the own token, sorted')
      .of((await list(agent.credentials)).map(attestationIndex).toSorted())
      .is(listed.map(attestationIndex).toSorted())
    for (const one of listed) {
      const index = attestationIndex(one) ?? 'latest'
      const read = await verifier.attestation(agent.id, index)
      check('ATT-LIST-SAME', `links of ${index} in the list`)
        .of(at(one, 'links'))
        .is(at(read.body, 'data', 'links'))
      const { evidence, evidence_requested, ...members } = Object(at(one, 'attributes'))
      check('ATT-LIST-SAME', `members of ${index} in the list besides its evidence`)
        .of(members)
        .is(Object.fromEntries(Object.keys(members).map((name) => [name, attributes(read, name)])))
      check('AUT-AGENT-READS-OWN', `attributes of ${index}, read with the own token`)
        .of(attributes(await verifier.attestation(agent.id, index, agent.credentials)))
        .is(attributes(read))
    }
  },
})
