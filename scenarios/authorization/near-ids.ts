import { isSuccess, REFUSED, scenario } from '../../conformance/scenario.ts'

/** Ids that are almost that of the agent. */
const NEAR: readonly (readonly [says: string, near: (id: string, other: string) => string])[] = [
  ['another id', (_, other) => other],
  ['an id with the same first digits', (id, other) => id.slice(0, -12) + other.slice(-12)],
  ['an id with the same last digits', (id, other) => other.slice(0, 8) + id.slice(8)],
  [
    'an id of the same digits in another order',
    (id) => id.slice(0, -12) + backwards(id.slice(-12)),
  ],
  ['an id with another last digit', (id) => id.slice(0, -1) + (id.endsWith('0') ? '1' : '0')],
  ['the id in the other case', (id) => id.toUpperCase()],
  ['the id and a digit', (id) => `${id}0`],
  ['the id less a digit', (id) => id.slice(0, -1)],
]

const backwards = (text: string) => [...text].toReversed().join('')

export default scenario({
  id: 'authorization.near-ids',
  title:
    'The verifier accepts the token of an agent for its own id, and for no id that is almost equal',
  requirements: [
    'AUT-AGENT-OWN-RESOURCE',
    'AUT-IDENTITY-EQUALS-RESOURCE',
    'AUT-AGENT-READS-NO-OTHER',
  ],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ verifier, machines, random, check, observe }) {
    const agent = await machines.softAgent()
    const as = agent.credentials
    const body = agent.capabilities()
    for (const [says, near] of NEAR) {
      const own = await verifier.call('negotiate', { as, params: { agent_id: agent.id }, body })
      check('AUT-AGENT-OWN-RESOURCE', 'HTTP status of the capabilities POST for the own id')
        .of(own.status)
        .is(201)
      const id = near(agent.id, random.uuid())
      const added = await agent.enrol({}, id)
      observe('near ids', `HTTP status of the addition of ${says}`, added.status)
      // Without an agent of that id there is nothing to protect: a verifier may read ids without regard to case.
      if (!isSuccess(added)) continue
      const params = { agent_id: id }
      check('AUT-IDENTITY-EQUALS-RESOURCE', `capabilities POST for ${says}`)
        .of(await verifier.call('negotiate', { as, params, body })) // the defect
        .matches(...REFUSED)
      check('AUT-AGENT-READS-NO-OTHER', `list of the attestations of ${says}`)
        .of(await verifier.call('list-attestations', { as, params }))
        .matches(...REFUSED)
    }
  },
})
