import { scenario } from '../../../conformance/scenario.ts'
import { fieldsOf } from '../support/fields-part.ts'

export default scenario({
  id: 'matrix.fields.session',
  title: 'The verifier returns a session, passed or failed, with the members of the document',
  ...fieldsOf(['session.create', 'session.complete']),
  role: 'verifier',
  since: '3.0',
  async run({ machines, random, checkReply }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const session = await agent.openSession()
    checkReply('session.create', session)
    checkReply('session.complete', await agent.proveSession(session), ['evaluation is pass'])
    const other = await agent.openSession()
    const wrong = await agent.proveSession(other, { challenge: random.bytes(16) })
    checkReply('session.complete', wrong, ['evaluation is fail'])
  },
})
