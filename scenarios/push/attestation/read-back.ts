import { at, attributes, isSuccess, listOf, scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'push.attestation.read-back',
  title:
    'The verifier returns the same attestation by index, as latest, by its link and in the list',
  requirements: [
    'ATT-SUBMIT-ID-SAME',
    'ATT-READ-STATUS',
    'ATT-READ-ID-SAME',
    'ATT-LATEST-FORMAT',
    'ATT-SELF-SERVED',
    'ATT-SELF-LATEST',
    'ATT-LIST-STATUS',
    'ATT-LIST-EVIDENCE',
    'ATT-LIST-SAME',
    'ATT-NEXT-SECONDS-NOT-NEGATIVE',
    'ATT-NO-ENVELOPE',
  ],
  role: 'verifier',
  since: '3.0',
  async run({ verifier, machines, check }) {
    const agent = await machines.softAgent()
    const negotiation = await agent.negotiate()
    const { index } = negotiation
    const accepted = await agent.submit(negotiation)
    check('ATT-SUBMIT-ID-SAME', 'data.id of the answer to evidence')
      .of(at(accepted.body, 'data', 'id'))
      .is(index)
    check('ATT-NEXT-SECONDS-NOT-NEGATIVE', 'meta.seconds_to_next_attestation')
      .of(Number(at(accepted.body, 'meta', 'seconds_to_next_attestation')))
      .matches('0 or more', (seconds) => seconds >= 0)
    const read = await agent.verdict(negotiation)
    check('ATT-READ-STATUS', 'HTTP status by index').of(read.status).is(200)
    check('ATT-READ-ID-SAME', 'data.id')
      .of(at(read.body, 'data', 'id'))
      .is(index)
    check('ATT-NO-ENVELOPE', 'code of the answer')
      .of(at(read.body, 'code'))
      .meets({
        'the data shape': (code) => code === undefined,
        'the envelope': (code) => code === 200,
      })
    const latest = await verifier.attestation(agent.id, 'latest')
    check('ATT-READ-STATUS', 'HTTP status of latest').of(latest.status).is(200)
    check('ATT-LATEST-FORMAT', 'attributes of latest').of(attributes(latest)).is(attributes(read))
    const link = String(at(latest.body, 'data', 'links', 'self'))
    check('ATT-SELF-LATEST', 'end of links.self of latest')
      .of(link.split('/').at(-1))
      .meets({ 'the index': (end) => end === index, latest: (end) => end === 'latest' })
    const linked = await verifier.get(link, { as: verifier.admin })
    check('ATT-SELF-SERVED', 'whether links.self is served').of(isSuccess(linked)).is(true)
    check('ATT-SELF-SERVED', 'its attributes').of(attributes(linked)).is(attributes(read))
    const params = { agent_id: agent.id }
    const list = await verifier.call('list-attestations', { params, as: verifier.admin })
    check('ATT-LIST-STATUS', 'HTTP status of the list').of(list.status).is(200)
    const [listed] = listOf(at(list.body, 'data')) ?? []
    const { evidence: _, ...members } = Object(at(listed, 'attributes'))
    const names = Object.keys(members)
    check('ATT-LIST-SAME', 'members in the list besides the evidence')
      .of(members)
      .is(Object.fromEntries(names.map((name) => [name, attributes(read, name)])))
    const types = (value: unknown) => listOf(value)?.map((item) => at(item, 'evidence_type'))
    const all = types(attributes(read, 'evidence')) ?? []
    check('ATT-LIST-EVIDENCE', 'types of the evidence in the list')
      .of(types(at(listed, 'attributes', 'evidence')) ?? [])
      .meets({
        full: (some) => String(some) === String(all),
        shortened: (some) => some.length < all.length && some.every((type) => all.includes(type)),
      })
  },
})
