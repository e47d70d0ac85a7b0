import { REFUSED, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.attestation.at-registrar',
  title: 'The registrar does not serve the attestations of an agent',
  requirements: ['ATT-SERVED-BY-VERIFIER'],
  role: 'verifier',
  since: '3.0',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.softAgent()
    await agent.negotiate()
    for (const path of ['', '/latest', '/0']) {
      const read = { as: verifier.admin }
      for (const prefix of ['/v3', '/v3.0'])
        check('ATT-SERVED-BY-VERIFIER', `${prefix} …/attestations${path} of the registrar`)
          .of(await registrar.get(`${prefix}/agents/${agent.id}/attestations${path}`, read))
          .matches(...REFUSED)
    }
    const list = { params: { agent_id: agent.id }, as: verifier.admin }
    check('ATT-SERVED-BY-VERIFIER', 'HTTP status of the list of the verifier')
      .of((await verifier.call('list-attestations', list)).status)
      .is(200)
  },
})
