import { scenario } from '../../conformance/scenario.ts'
import { bearing, tokenOf } from './support/engine.ts'

export default scenario({
  id: 'session.refreshed',
  title: 'The verifier issues a new token for a new session, valid at once',
  requirements: ['SES-TOKEN-SECRET', 'SES-ID-UNIQUE', 'SES-TOKEN-REFRESH', 'SES-TOKEN-OLD-FATE'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const [old, fresh] = [
      tokenOf(await agent.proveSession(await agent.openSession())),
      tokenOf(await agent.proveSession(await agent.openSession())),
    ].map((token) => token.split('.'))
    check('SES-ID-UNIQUE', 'id of the second session').of(fresh?.[0]).isNot(old?.[0])
    check('SES-TOKEN-SECRET', 'whether the secrets of two tokens differ')
      .of(fresh?.[1] === old?.[1])
      .is(false)
    check('SES-TOKEN-REFRESH', 'HTTP status with the new token')
      .of((await agent.offer(bearing(String(fresh?.join('.'))))).status)
      .is(201)
    check('SES-TOKEN-OLD-FATE', 'HTTP status with the old token')
      .of((await agent.offer(bearing(String(old?.join('.'))))).status)
      .meets({
        'still valid': (status) => status === 201,
        ended: (status) => status === 401 || status === 403,
      })
  },
})
