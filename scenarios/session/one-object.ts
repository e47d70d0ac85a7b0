import { attributes, isRefusal, isSuccess, scenario } from '../../conformance/scenario.ts'
import { NO_CHALLENGE, presentOpening } from './support/engine.ts'

const [expected, givesNoChallenge] = NO_CHALLENGE

const UNKNOWN = { authentication_class: 'pot', authentication_type: 'none_that_exists' }

const first = (list: unknown) => (Array.isArray(list) ? list[0] : list)

export default scenario({
  id: 'session.one-object',
  title:
    'The verifier rejects a single object in place of a list, or accepts it with the same meaning',
  requirements: [
    ...['SES-CREATE-REQUEST-METHODS-ARRAY', 'SES-PROVE-REQUEST-PROVIDED-ARRAY'],
    'SES-REQUESTED-FROM-SUPPORTED',
  ],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check, observe }) {
    const agent = await machines.pushAgent({ until: 'enrolled' })
    const opened = await agent.openSession({
      attributes: ({ authentication_supported: list, ...rest }) => ({
        ...rest,
        authentication_supported: first(list),
      }),
    })
    observe('ARROBJ', 'HTTP status of a session with one method', opened.status)
    check('SES-CREATE-REQUEST-METHODS-ARRAY', 'answer to one method')
      .of(opened)
      .meets({
        refused: isRefusal,
        accepted: (reply) => isSuccess(reply) && !givesNoChallenge(reply),
      })
    const unknown = await agent.openSession({
      attributes: (right) => ({ ...right, authentication_supported: UNKNOWN }),
    })
    check('SES-REQUESTED-FROM-SUPPORTED', 'answer to one method that is unknown')
      .of(presentOpening(unknown))
      .matches(expected, () => givesNoChallenge(unknown))
    const proven = await agent.proveSession(await agent.openSession(), {
      attributes: ({ authentication_provided: list, ...rest }) => ({
        ...rest,
        authentication_provided: first(list),
      }),
    })
    observe('ARROBJ', 'HTTP status of one proof', proven.status)
    check('SES-PROVE-REQUEST-PROVIDED-ARRAY', 'answer to one proof')
      .of(proven)
      .meets({
        refused: isRefusal,
        accepted: (reply) => attributes(reply, 'evaluation') === 'pass',
      })
  },
})
