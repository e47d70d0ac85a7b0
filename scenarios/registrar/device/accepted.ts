import { base64, results, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.device.accepted',
  title: 'The registrar registers and activates a device with IAK and IDevID, and returns its AIK',
  requirements: ['REG-DEVICE-ACCEPTED'],
  role: 'registrar',
  since: '2.1',
  needs: ['device_identity'],
  async run({ registrar, verifier, machines, check }) {
    const agent = await machines.pushAgent({ until: 'booted' })
    const registration = await agent.register(await agent.deviceMembers())
    check('REG-DEVICE-ACCEPTED', 'registration').of(registration.status).is(200)
    const activation = await agent.activate(await agent.openBlob(registration))
    check('REG-DEVICE-ACCEPTED', 'activation').of(activation.status).is(200)
    const seen = await registrar.read(agent.id, verifier.admin)
    check('REG-DEVICE-ACCEPTED', 'aik_tpm')
      .of(results(seen, 'aik_tpm'))
      .is(base64(agent.machine.ak.public))
  },
})
