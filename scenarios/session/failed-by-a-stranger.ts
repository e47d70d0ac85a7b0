import { attributes, scenario } from '../../conformance/scenario.ts'

export default scenario({
  id: 'session.failed-by-a-stranger',
  title:
    "The verifier keeps an agent's token and challenge valid after another client fails a proof in its name",
  requirements: ['SES-FAIL-EVALUATION', 'SES-TOKEN-NOT-ENDED-BY-FAILURE', 'SES-PASS-EVALUATION'],
  role: 'verifier',
  since: '3.0',
  variantOf: 'session.proof-accepted',
  async run({ machines, check }) {
    const victim = await machines.pushAgent()
    const waiting = await victim.openSession()
    const rogue = await victim.machine.createRogueAk()
    const failed = await victim.proveSession(await victim.openSession(), {
      object: rogue.handle,
      signer: rogue.handle, // the defect
    })
    check('SES-FAIL-EVALUATION', 'evaluation').of(attributes(failed, 'evaluation')).is('fail')
    check('SES-TOKEN-NOT-ENDED-BY-FAILURE', 'HTTP status of the capabilities POST')
      .of((await victim.offer(victim.credentials)).status)
      .is(201)
    check('SES-PASS-EVALUATION', 'evaluation of a right proof for a challenge of before')
      .of(attributes(await victim.proveSession(waiting), 'evaluation'))
      .is('pass')
  },
})
