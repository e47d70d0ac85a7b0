import { at, attributes, isSuccess, listOf, scenario } from '../../../conformance/scenario.ts'
import { attestationIndex, collectEvidence } from '../support/engine.ts'

const TIMES = 4

export default scenario({
  id: 'push.attestation.offers-at-once',
  title:
    'The verifier counts offers that arrive at once one by one, and takes evidence for the newest alone',
  requirements: ['ATT-INDEX-INCREMENTS', 'ATT-LIST', 'ATT-LATEST-IS-NEWEST', 'ATT-LATEST-ONLY'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'push.evidence.soft-keys-accepted',
  async run({ verifier, machines, check, observe }) {
    const agent = await machines.softAgent()
    const params = { agent_id: agent.id }
    const indexesOf = async () => {
      const list = await verifier.call('list-attestations', { params, as: verifier.admin })
      return listOf(at(list.body, 'data'))?.map((one) => Number(attestationIndex(one)))
    }
    const replies = await Promise.all(
      Array.from({ length: TIMES }, () => agent.offer(agent.credentials)), // the defect
    )
    const given = replies
      .filter(isSuccess)
      .map((reply) => Number(agent.negotiationIn(reply).index))
      .toSorted((one, other) => one - other)
    observe('at once', 'indexes of offers at once', given)
    const expected = given.map((_, step) => Number(given[0]) + step)
    check('ATT-INDEX-INCREMENTS', 'indexes of offers at once').of(given).is(expected)
    check('ATT-LIST', 'indexes of the list, sorted')
      .of((await indexesOf())?.toSorted((one, other) => one - other))
      .is(expected)
    const latest = await verifier.attestation(agent.id, 'latest')
    check('ATT-LATEST-IS-NEWEST', 'index of latest')
      .of(Number(attestationIndex(at(latest.body, 'data'))))
      .is(given.at(-1) ?? -1)
    for (let round = 1; round <= TIMES; round++) {
      const negotiation = await agent.negotiate()
      const { index } = negotiation
      const body = await collectEvidence(agent.machine, negotiation, {}, verifier.dialect)
      const [sent] = await Promise.all([
        verifier.call('submit', { params: { ...params, index }, body, as: agent.credentials }),
        agent.offer(agent.credentials), // the defect
      ])
      const seen = isSuccess(sent)
        ? await agent.verdict(negotiation)
        : await verifier.attestation(agent.id, index)
      check('ATT-LATEST-ONLY', `the attestation whose evidence came with the next offer, ${round}`)
        .of([attributes(seen, 'stage'), attributes(seen, 'evaluation')].join(', '))
        .isOneOf(
          isSuccess(sent)
            ? ['verification_complete, pass']
            : ['awaiting_evidence, pending', 'awaiting_evidence, '],
        )
    }
  },
})
