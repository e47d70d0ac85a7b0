import {
  base64,
  isRefusal,
  isSuccess,
  REFUSED,
  results,
  scenario,
} from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.binding.near-keys',
  title: 'The registrar has the AIK in the record whose blob was opened, or rejects it',
  requirements: [
    'REG-RECORD-AIK',
    'REG-REGCOUNT-GROWS',
    'REG-OTHER-TPM-REFUSED',
    'REG-OTHER-TPM-HARMLESS',
  ],
  role: 'registrar',
  since: '2.1',
  variantOf: 'registrar.registration.accepted',
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.lightAgent({ until: 'activated' })
    const another = await machines.lightAgent({ until: 'booted' })
    const soft = await machines.softAgent({ until: 'booted' })
    const memberOf = async (name: string) =>
      results(await registrar.read(agent.id, verifier.admin), name)
    await agent.activate(await agent.openBlob(await agent.register()))
    const checkRefused = async (when: string) =>
      check('REG-OTHER-TPM-REFUSED', `registration of another TPM ${when}`)
        .of(await agent.register(registrar.registrationOf(soft.machine))) // the defect
        .matches(...REFUSED)
    await checkRefused('after a second one of its owner')
    const blob = await agent.register()
    await checkRefused('while another one of its owner is not activated')
    check('REG-OTHER-TPM-HARMLESS', 'activation of the registration of the owner afterwards')
      .of(await agent.activate(await agent.openBlob(blob)))
      .matches('a success', isSuccess)
    check('REG-OTHER-TPM-HARMLESS', 'aik_tpm afterwards')
      .of(await memberOf('aik_tpm'))
      .is(base64(agent.machine.ak.public))
    const aik = base64(another.machine.ak.public)
    const count = Number(await memberOf('regcount'))
    const reply = await agent.register({ aik_tpm: aik }) // the defect: the same EK and another AIK
    const checkGrown = async (what: string) =>
      check('REG-REGCOUNT-GROWS', `regcount after a registration with ${what}`)
        .of(Number(await memberOf('regcount')))
        .matches(`above ${count}`, (grown) => grown > count)
    if (isRefusal(reply) || !isSuccess(reply)) {
      check('REG-OTHER-TPM-REFUSED', 'registration with another AIK')
        .of(reply)
        .matches(...REFUSED)
      await agent.activate(await agent.openBlob(await agent.register()))
      await checkGrown('the same keys')
      return
    }
    await agent.activate(await another.openBlob(reply, agent.id))
    await checkGrown('another AIK')
    check('REG-RECORD-AIK', 'aik_tpm after the blob for another AIK was opened')
      .of(await memberOf('aik_tpm'))
      .is(aik)
  },
})
