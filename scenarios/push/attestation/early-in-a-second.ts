import { attributes, scenario } from '../../../conformance/scenario.ts'

const MICROSECONDS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}(Z|[+-]\d{2}:\d{2})$/

const SECOND_MS = 1000
/** Until then, the first of the six digits is a 0. */
const EARLY_MS = 100
const ATTEMPTS = 3

export default scenario({
  id: 'push.attestation.early-in-a-second',
  title: 'The verifier writes six digits of microseconds also early in a second',
  requirements: ['ATT-CAPABILITIES-TIME'],
  role: 'verifier',
  since: '3.0',
  seconds: 2,
  async run({ machines, elapse, check, now }) {
    const agent = await machines.softAgent()
    // A busy machine may answer later in the second.
    for (let more = ATTEMPTS; more > 0; more -= 1) {
      const rest = SECOND_MS - (now() % SECOND_MS)
      await elapse(rest + EARLY_MS / 10, 'the rest of a second is')
      const { reply } = await agent.negotiate()
      check('ATT-CAPABILITIES-TIME', 'capabilities_received_at')
        .of(attributes(reply, 'capabilities_received_at'))
        .matches('an instant with microseconds', (text) => MICROSECONDS.test(String(text)))
      if (now() % SECOND_MS < EARLY_MS) return
    }
  },
})
