import { scenario } from '../../conformance/scenario.ts'
import { hasBootTimeOfHost } from './support/boot-time-of-host.ts'
import { checkBootTimes } from './support/check-capabilities.ts'
import { isProvenBy } from './support/check-session.ts'
import { checkLists, LIST_REQUIREMENTS, stepsOf } from './support/engine.ts'

export default scenario({
  id: 'push-agent.restarted',
  title:
    'A push agent attests with its registered key and the same boot time after a restart, and from the start of the list after a reboot',
  requirements: [
    ...LIST_REQUIREMENTS,
    ...['PSH-PROOF-AK', 'PSH-REGISTERS-FIRST', 'PSH-ACTIVATES', 'PSH-BOOT-TIME-STEADY'],
  ],
  role: 'push_agent',
  seconds: 7,
  needs: ['ima_log'],
  since: '3.0',
  async run(context) {
    const { pushAgents, check, observe } = context
    // A resume before the agent starts, so that the sum of resets and restarts is the same after the reboot.
    const agent = await pushAgents.start({ machine: 'suspend\nmeasure /usr/bin/before-the-boot' })
    await agent.took('evidence', 2)
    const again = await agent.restart()
    await agent.took('evidence', 1, again)
    checkBootTimes(context, stepsOf(agent.operations, 'capabilities'))
    const keyOf = () => agent.registrar.registrationOf(agent.id)?.body['aik_tpm']
    const before = keyOf()
    if (hasBootTimeOfHost(agent.operations)) agent.verifier.set({ wholeLists: true })
    const ended = await agent.restart({ machine: 'reboot\nmeasure /usr/bin/after-the-boot' })
    await agent.took('evidence', 2, ended)
    const later = agent.operations.slice(ended)
    const [first] = later.filter(({ step }) => step !== 'version')
    check('PSH-REGISTERS-FIRST', 'its first request')
      .of(first?.step)
      .isOneOf(['register', 'session'])
    check('PSH-ACTIVATES', 'the answer to the challenge of its last registration')
      .of(agent.registrar.registrationOf(agent.id)?.activated)
      .isOneOf(['base64', 'raw'])
    const proofs = stepsOf(later, 'proof')
    check('PSH-PROOF-AK', `proofs of ${proofs.length} that are by the registered key`)
      .of(proofs.filter((proof) => isProvenBy(proof, keyOf())).length)
      .matches('all of them, and one at least', (count) => count > 0 && count === proofs.length)
    observe('RESTART', 'the key', keyOf() === before ? 'the one before' : 'another one')
    await checkLists(context, agent.operations)
  },
})
