import { attributes, scenario } from '../../conformance/scenario.ts'

const UNKNOWN = { authentication_class: 'pot', authentication_type: 'none_that_exists' }
const HALF = { authentication_class: 'pop', authentication_type: 'none_that_exists' }

/** Lists around the supported method. */
const LISTS: Readonly<
  Record<string, readonly [before: readonly object[], after: readonly object[]]>
> = {
  first: [[], [UNKNOWN, HALF]],
  last: [[UNKNOWN, HALF], []],
  'in the middle': [[HALF], [UNKNOWN]],
}

export default scenario({
  id: 'session.one-of-several-methods',
  title: 'The verifier opens a session if one of the methods of the agent is supported',
  requirements: ['SES-PASS-EVALUATION', 'SES-CREATE-STATUS'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check }) {
    const agent = await machines.softAgent({ until: 'enrolled' })
    for (const [place, [before, after]] of Object.entries(LISTS)) {
      const session = await agent.openSession({
        attributes: ({ authentication_supported: own, ...rest }) => ({
          ...rest,
          authentication_supported: [...before, own, ...after].flat(),
        }),
      })
      check('SES-CREATE-STATUS', `HTTP status where the supported method is ${place}`)
        .of(session.status)
        .is(200)
      check('SES-PASS-EVALUATION', `evaluation where the supported method is ${place}`)
        .of(attributes(await agent.proveSession(session), 'evaluation'))
        .is('pass')
    }
  },
})
