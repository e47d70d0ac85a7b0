import { ANONYMOUS, scenario } from '../../../conformance/scenario.ts'
import { isClosed } from '../support/agent-closed-family.ts'
import { giveKeys, goodCall, makeBootstrapKeys } from '../support/engine.ts'
import { agentOfVersion } from '../support/legacy-agent.ts'

/** Operations that a document with mTLS closes in each of its readings, and those that may be open then. */
const SECRET = ['vkey', 'ukey', 'verify', 'integrity'] as const
const MAY_BE_OPEN = ['pubkey', 'identity'] as const

type Seen = readonly ('closed' | 'open' | 'neither')[]
const areClosed = (seen: Seen) => seen.every((one) => one === 'closed')
const areOpen = (seen: Seen) => seen.every((one) => one === 'open')

export default scenario({
  id: 'pull-agent.legacy.certificates',
  title: 'A pull agent of API 2.0 is closed to clients without a certificate, or open to all',
  requirements: ['LEG-MTLS-AGENT', 'LEG-AGENT-OPEN-ENDPOINTS'],
  role: 'pull_agent',
  since: '2.0',
  until: '2.0',
  variantOf: 'pull-agent.routes.pubkey',
  async run(context) {
    const { random, check, observe } = context
    const agent = await agentOfVersion(context)
    const answers: ('closed' | 'open' | 'neither')[] = []
    for (const operation of [...SECRET, ...MAY_BE_OPEN]) {
      const call = await goodCall(agent, operation, random)
      const reply = await agent.call(operation, { ...call, as: ANONYMOUS }) // the defect
      observe('LEGAUTH', `${operation} without a certificate`, reply.status ?? 'no answer')
      answers.push(isClosed(reply) ? 'closed' : reply.status === 200 ? 'open' : 'neither')
    }
    const [secret, others] = [answers.slice(0, SECRET.length), answers.slice(SECRET.length)]
    // A half left behind would be joined with the keys of the next scenario.
    await giveKeys(agent, makeBootstrapKeys(agent), random)
    check('LEG-MTLS-AGENT', `${[...SECRET, ...MAY_BE_OPEN].join(', ')} without a certificate`)
      .of(answers)
      .meets({ mTLS: () => areClosed(secret), nothing: areOpen })
    check('LEG-AGENT-OPEN-ENDPOINTS', `${MAY_BE_OPEN.join(', ')} without a certificate`)
      .of(others)
      .meets({
        'all closed': areClosed,
        'some open': (seen) => seen.includes('open') && !seen.includes('neither'),
      })
  },
})
