import { attributes, isRefusal, scenario } from '../../conformance/dsl.ts'

const UNKNOWN = [{ authentication_class: 'pop', authentication_type: 'none_that_exists' }]

export default scenario({
  id: 'session.no-common-method',
  title: 'An agent is not asked for a proof that it does not support',
  requirements: ['SES-REQUESTED-FROM-SUPPORTED'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const session = await agent.openSession({
      attributes: (right) => ({ ...right, authentication_supported: UNKNOWN }), // the defect
    })
    check('SES-REQUESTED-FROM-SUPPORTED', 'answer')
      .of(session)
      .matches(
        'a refusal (4xx), or no request for a proof',
        (reply) =>
          isRefusal(reply) || (attributes(reply, 'authentication_requested', 0) ?? null) === null,
      )
  },
})
