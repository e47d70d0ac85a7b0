import { base64, isSuccess, results, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.binding.at-once',
  title:
    'Of several TPMs that register one id at the same time, one is activated, and its key is in the record',
  requirements: ['REG-OTHER-TPM-AT-ONCE'],
  role: 'registrar',
  since: '2.1',
  variantOf: 'registrar.registration.accepted',
  async run({ registrar, verifier, machines, check, cleanUp, notApplicable }) {
    const agent = await machines.pushAgent({ until: 'booted' })
    const light = await machines.lightAgent({ until: 'booted' })
    const soft = await machines.softAgent({ until: 'booted' })
    cleanUp(() => registrar.delete(agent.id, verifier.admin))
    const agents = [agent, light, soft, agent, light, soft]
    const replies = await Promise.all(
      agents.map(async ({ machine, openBlob }) => {
        const body = registrar.registrationOf(machine)
        const reply = await registrar.register(agent.id, body) // the defect
        return isSuccess(reply) ? { machine, tag: await openBlob(reply, agent.id) } : undefined
      }),
    )
    const activated = new Set<string>()
    for (const accepted of replies) {
      if (accepted === undefined || !isSuccess(await agent.activate(accepted.tag))) continue
      activated.add(base64(accepted.machine.ak.public))
    }
    if (activated.size === 0) {
      const tag = await agent.openBlob(await agent.register())
      await agent.activate('0'.repeat(tag.length))
      if (!isSuccess(await agent.activate(tag)))
        notApplicable('a wrong tag ends a registration at this registrar')
    }
    check('REG-OTHER-TPM-AT-ONCE', 'TPMs of three that were activated').of(activated.size).is(1)
    check('REG-OTHER-TPM-AT-ONCE', 'aik_tpm of the record, of a TPM that was activated')
      .of(results(await registrar.read(agent.id, verifier.admin), 'aik_tpm'))
      .matches('its key', (aik) => activated.has(String(aik)))
  },
})
