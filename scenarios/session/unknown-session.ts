import { at, type Reply, scenario } from '../../conformance/scenario.ts'
import { NO_TOKEN } from './support/engine.ts'

const idOf = (session: Reply) => String(at(session.body, 'data', 'id'))
const turned = (digit = '') => (digit === '0' ? '1' : '0')

const NEAR: readonly (readonly [says: string, change: (id: string) => string])[] = [
  ['with another last digit', (id) => id.slice(0, -1) + turned(id.at(-1))],
  ['with another first digit', (id) => turned(id[0]) + id.slice(1)],
  ['without its last digit', (id) => id.slice(0, -1)],
  ['without its last part', (id) => id.slice(0, id.lastIndexOf('-'))],
  ['with a digit behind it', (id) => `${id}0`],
]

export default scenario({
  id: 'session.unknown-session',
  title: 'The verifier issues no token for a proof of an unknown session',
  requirements: ['SES-UNKNOWN-SESSION', 'SES-UNKNOWN-SESSION-NO-TOKEN'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, random, check }) {
    const agent = await machines.softAgent({ until: 'enrolled' })
    const sessionId = random.uuid()
    const proven = await agent.proveSession(await agent.openSession(), { sessionId }) // the defect
    check('SES-UNKNOWN-SESSION', 'HTTP status').of(proven.status).is(404)
    check('SES-UNKNOWN-SESSION-NO-TOKEN', 'answer to the proof')
      .of(proven)
      .matches(...NO_TOKEN)
    const session = await agent.openSession()
    for (const [says, change] of NEAR)
      check('SES-UNKNOWN-SESSION-NO-TOKEN', `answer to the proof for its session id ${says}`)
        .of(await agent.proveSession(session, { sessionId: change(idOf(session)) }))
        .matches(...NO_TOKEN)
  },
})
