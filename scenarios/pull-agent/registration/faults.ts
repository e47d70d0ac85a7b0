import { scenario } from '../../../conformance/scenario.ts'
import { registrarStepOf } from '../support/engine.ts'

/** Transient faults: an agent that retries is registered in the end. */
const FAULTS = [
  {
    id: 'register-503',
    says: 'answers 503',
    on: 'register',
    misbehave: [{ on: 'register', answer: { status: 503 } }],
  },
  {
    id: 'register-502',
    says: 'answers 502 to its question for versions, and then to its registration,',
    on: 'register',
    misbehave: [
      { on: 'version', answer: { status: 502 } },
      { on: 'register', answer: { status: 502 } },
    ],
  },
  {
    id: 'register-reset',
    says: 'cuts the connection',
    on: 'register',
    misbehave: [{ on: 'register', answer: 'reset' }],
  },
  {
    id: 'activate-503',
    says: 'answers its activation with 503',
    on: 'activate',
    misbehave: [{ on: 'activate', answer: { status: 503 } }],
  },
] as const

export default FAULTS.map(({ id, says, on, misbehave }) =>
  scenario({
    id: `pull-agent.registration.faults.${id}`,
    title: `A pull agent retries after its registrar ${says} once`,
    requirements: ['AGT-REG-RETRIES', 'AGT-REG-ACTIVATES'],
    role: 'pull_agent',
    seconds: 3,
    since: '2.1',
    until: '2.5',
    perMajor: true,
    async run({ pullAgents, check, observe }) {
      const agent = await pullAgents.fresh({ misbehave })
      const { exchanges } = agent.registrar
      const attempts = exchanges
        .filter(({ request }) => registrarStepOf(request)?.name === on)
        .map(({ request }) => request.at)
      // On a slow machine an agent may lose an answer, and try once more.
      check('AGT-REG-RETRIES', `attempts to ${on}`).measured(attempts.length).is(2)
      check('AGT-REG-ACTIVATES', 'activated')
        .of(agent.registration.activated)
        .isOneOf(['base64', 'raw'])
      const [first = 0, second = 0] = attempts
      observe('RETRYAFTER', 'milliseconds between them', Math.round(second - first))
    },
  }),
)
