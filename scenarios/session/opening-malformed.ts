import { scenario } from '../../conformance/scenario.ts'
import { NO_CHALLENGE, presentOpening } from './support/engine.ts'

const [expected, givesNoChallenge] = NO_CHALLENGE

type Attributes = Readonly<Record<string, unknown>>

const without =
  (missing: string) =>
  (right: Attributes): Attributes =>
    Object.fromEntries(Object.entries(right).filter(([name]) => name !== missing))

const methods =
  (...authentication_supported: readonly object[]) =>
  (right: Attributes): Attributes => ({ ...right, authentication_supported })

const DEFECTS = [
  ['no-agent', 'no agent', 'SES-CREATE-REQUEST-AGENT', without('agent_id')],
  ['no-methods', 'no methods', 'SES-CREATE-REQUEST-METHODS', without('authentication_supported')],
  ['empty-list', 'an empty list of methods', 'SES-CREATE-REQUEST-METHODS', methods()],
  [
    'class',
    'an unknown class',
    'SES-REQUESTED-FROM-SUPPORTED',
    methods({ authentication_class: 'pot', authentication_type: 'tpm_pop' }),
  ],
  [
    'type',
    'an unknown type',
    'SES-REQUESTED-FROM-SUPPORTED',
    methods({ authentication_class: 'pop', authentication_type: 'none_that_exists' }),
  ],
  [
    'halves',
    'two methods that have the right class and the right type between them',
    'SES-REQUESTED-FROM-SUPPORTED',
    methods(
      { authentication_class: 'pop', authentication_type: 'none_that_exists' },
      { authentication_class: 'pot', authentication_type: 'tpm_pop' },
    ),
  ],
] as const

export default DEFECTS.map(([id, title, row, mutate]) =>
  scenario({
    id: `session.opening-malformed.${id}`,
    title: `The verifier issues no challenge for a session with ${title}`,
    requirements: [row],
    role: 'verifier',
    since: '3.0',
    variantOf: 'session.proof-accepted',
    async run({ machines, check }) {
      const agent = await machines.softAgent({ until: 'enrolled' })
      const session = await agent.openSession({ attributes: mutate }) // the defect
      check(row, 'answer')
        .of(presentOpening(session))
        .matches(expected, () => givesNoChallenge(session))
    },
  }),
)
