import { at, attributes, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'session.proof-by-soft-key',
  title: 'The verifier accepts a valid proof by a software key',
  requirements: ['SES-PASS-EVALUATION', 'SES-PASS-AUTHENTICATION-CHALLENGE'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ softKeys: true, until: 'enrolled' })
    const session = await agent.openSession()
    const proven = await agent.proveSession(session)
    check('SES-PASS-EVALUATION', 'evaluation').of(attributes(proven, 'evaluation')).is('pass')
    const path = ['chosen_parameters', 'challenge'] as const
    const [authentication] = [attributes(proven, 'authentication')].flat()
    check('SES-PASS-AUTHENTICATION-CHALLENGE', 'challenge of the completed session')
      .of(at(authentication, ...path))
      .is(attributes(session, 'authentication_requested', 0, ...path))
  },
})
