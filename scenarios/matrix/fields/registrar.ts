import { scenario } from '../../../conformance/scenario.ts'
import { fieldsOf } from '../support/fields-part.ts'

export default scenario({
  id: 'matrix.fields.registrar',
  title: 'The registrar replies with the members of the document',
  ...fieldsOf([
    'registrar.register',
    'registrar.activate',
    'registrar.read',
    'registrar.list',
    'registrar.delete',
    'registrar.version',
  ]),
  role: 'registrar',
  since: '1.0',
  async run({ registrar, verifier, machines, checkReply }) {
    const agent = await machines.pushAgent({ until: 'booted' })
    const registration = await agent.register()
    checkReply('registrar.register', registration)
    checkReply('registrar.activate', await agent.activate(await agent.openBlob(registration)))
    checkReply('registrar.read', await registrar.read(agent.id, verifier.admin))
    checkReply('registrar.list', await registrar.list(verifier.admin))
    checkReply('registrar.version', await registrar.get('/version'))
    checkReply('registrar.delete', await registrar.delete(agent.id, verifier.admin))
  },
})
