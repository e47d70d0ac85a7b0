import {
  at,
  attributes,
  flipBit,
  listOf,
  REFUSED,
  results,
  scenario,
} from '../../../../conformance/scenario.ts'

export default scenario({
  id: 'push.evidence.after-re-creation',
  title: 'The verifier keeps nothing of a deleted agent for another machine under the same id',
  requirements: [
    'ATT-EVALUATION-PASS',
    'ATT-LIST-EMPTY',
    'SES-PASS-EVALUATION',
    'SES-TOKEN-ENDS-REENROLLED',
    'VER-STATUS-COUNT-ZERO',
    'VER-STATUS-PASS',
  ],
  role: 'verifier',
  since: '3.0',
  async run({ registrar, verifier, machines, check }) {
    const former = await machines.lightAgent()
    const passed = await former.attest({
      // A clock far ahead of that of the next machine.
      attest: (one) => ({ ...one, clockInfo: { ...one.clockInfo, clock: 1n << 40n } }),
    })
    check('ATT-EVALUATION-PASS', 'evaluation of the first machine')
      .of(attributes(passed, 'evaluation'))
      .is('pass')
    await former.attest({ signature: (bytes) => flipBit(bytes, -1) })
    await former.negotiate()
    await verifier.deleteAgent(former.id)
    await registrar.delete(former.id, verifier.admin)

    const agent = await machines.lightAgent({ id: former.id, until: 'enrolled', entries: 5 })
    const list = await verifier.call('list-attestations', {
      params: { agent_id: agent.id },
      as: verifier.admin,
    })
    check('ATT-LIST-EMPTY', 'attestations of the new agent')
      .of(listOf(at(list.body, 'data')))
      .is([])
    check('VER-STATUS-COUNT-ZERO', 'attestation_count of the new agent')
      .of(results(await verifier.readAgent(agent.id), 'attestation_count'))
      .is(0)
    const proven = await agent.proveSession(await agent.openSession())
    check('SES-PASS-EVALUATION', 'evaluation of a proof by the key of the new machine')
      .of(attributes(proven, 'evaluation'))
      .is('pass')
    check('SES-TOKEN-ENDS-REENROLLED', 'capabilities POST with the token of the first machine')
      .of(await agent.offer(former.credentials))
      .matches(...REFUSED)
    await agent.logIn()
    const seen = await agent.attest()
    check('ATT-EVALUATION-PASS', 'evaluation of the new machine')
      .of(attributes(seen, 'evaluation'))
      .is('pass')
    check('VER-STATUS-PASS', 'attestation_status of the new agent')
      .of(results(await verifier.readAgent(agent.id), 'attestation_status'))
      .is('PASS')
  },
})
