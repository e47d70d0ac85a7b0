import { results, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'registrar.plain.registered',
  title:
    'The registrar lists versions, registers and activates an agent without TLS, and returns it over TLS',
  requirements: ['REG-PLAIN-REGISTER'],
  role: 'registrar',
  since: '2.1',
  async run({ registrar, verifier, machines, check, cleanUp }) {
    const plain = registrar.withoutTls()
    const agent = await machines.pushAgent({ until: 'booted' })
    check('REG-PLAIN-REGISTER', 'GET /version')
      .of((await plain.get('/version')).status)
      .is(200)
    const registration = await plain.register(agent.id, registrar.registrationOf(agent.machine))
    cleanUp(() => registrar.delete(agent.id, verifier.admin))
    check('REG-PLAIN-REGISTER', 'registration').of(registration.status).is(200)
    const activation = await plain.activate(agent.id, await agent.openBlob(registration))
    check('REG-PLAIN-REGISTER', 'activation').of(activation.status).is(200)
    const seen = await registrar.read(agent.id, verifier.admin)
    check('REG-PLAIN-REGISTER', 'ip of the record, read with TLS')
      .of(results(seen, 'ip'))
      .is('127.0.0.1')
  },
})
