import { attributes, isSuccess, results, scenario } from '../../../conformance/scenario.ts'
import { bootPolicyBody, restartVerifier, storeRuntimePolicy } from '../support/engine.ts'
import { outcomeOf } from '../support/outcome-of.ts'

export default scenario({
  id: 'push.after-restart.challenge-replayed',
  title:
    'The verifier keeps policies, records and evidence over a restart, and rejects a quote over a challenge from before',
  requirements: [
    ...['ATT-QUOTE-OVER-CHALLENGE', 'VER-POLICY-CONTENT', 'VER-BOOT-READ-BACK'],
    ...['VER-KEEPS-STATUS', 'ATT-READ-FULL-EVIDENCE', 'ATT-STOPPED-FAILS'],
  ],
  role: 'verifier',
  since: '3.0',
  alone: true,
  variantOf: 'push.after-restart.challenge-fresh',
  async run(context) {
    const { machines, verifier, check, cleanUp } = context
    const { call } = await storeRuntimePolicy(context)
    cleanUp(() => verifier.call('delete-boot-policy', call))
    const marker = 'ab'.repeat(32)
    const booted = await verifier.call('create-boot-policy', {
      ...call,
      body: bootPolicyBody(marker),
    })
    const stored = await verifier.call('read-policy', call)
    const failed = await machines.lightAgent()
    const record = async () => {
      const seen = Object(results(await verifier.readAgent(failed.id)))
      return { ...seen, operational_state: 'open', accept_attestations: 'open' } // both change by themselves
    }
    const evidence = attributes(await failed.attest({ challenge: new Uint8Array() }), 'evidence')
    await verifier.call('stop', { as: verifier.admin, params: { agent_id: failed.id } })
    const kept = await record()
    const agent = await machines.pushAgent()
    const before = await agent.negotiate()
    await restartVerifier(context)
    check('VER-POLICY-CONTENT', 'the answer to reading a runtime policy, as before the restart')
      .of((await verifier.call('read-policy', call)).body)
      .is(stored.body)
    // A verifier may be one that only returns measured boot policies.
    if (isSuccess(booted))
      check('VER-BOOT-READ-BACK', 'the measured boot policy after the restart')
        .of((await verifier.call('read-boot-policy', call)).text)
        .matches(`one that names ${marker}`, (text) => text.includes(marker))
    check('VER-KEEPS-STATUS', 'the record of an agent that failed, as before the restart')
      .of(await record())
      .is(kept)
    check('ATT-READ-FULL-EVIDENCE', 'evidence of its attestation, as before the restart')
      .of(attributes(await verifier.attestation(failed.id, 'latest'), 'evidence'))
      .is(evidence)
    await failed.logIn()
    check('ATT-STOPPED-FAILS', 'outcome of an attestation of a stopped agent after the restart')
      .of(await outcomeOf(failed, await failed.offerInTurn())) // the defect: it was stopped before
      .isOneOf(['refused', 'fail'])
    await agent.logIn()
    const after = await agent.negotiate()
    await agent.submit(after, { challenge: before.challenge }) // the defect
    const seen = await agent.verdict(after)
    check('ATT-QUOTE-OVER-CHALLENGE', 'evaluation').of(attributes(seen, 'evaluation')).is('fail')
  },
})
