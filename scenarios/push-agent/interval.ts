import { checkPushWait, nextPushWait, scenario } from '../../conformance/dsl.ts'

const OWN = 2
const SUGGESTED = 4

export default scenario({
  id: 'push-agent.interval',
  title: 'A push agent waits as long as it is set to, or as its verifier suggests',
  requirements: ['PSH-STATE-INTERVAL', 'PSH-STATE-INTERVAL-SETTING'],
  role: 'push_agent',
  seconds: 9,
  since: '3.0',
  async run({ pushAgents, check, observe, notApplicable }) {
    const agent = await pushAgents.start({ interval: OWN, verifier: { secondsToNext: undefined } })
    if (!agent.patience.taken.interval)
      notApplicable('the command of the push_agent does not name the word interval')
    const alone = await nextPushWait(agent)
    checkPushWait(check, 'PSH-STATE-INTERVAL-SETTING', alone, [OWN])
    checkPushWait(check, 'PSH-STATE-INTERVAL', alone, [OWN])
    agent.verifier.set({ secondsToNext: SUGGESTED })
    const told = await nextPushWait(agent)
    checkPushWait(check, 'PSH-STATE-INTERVAL', told, [OWN, SUGGESTED])
    observe('INTERVAL', 'milliseconds without and with a suggestion', [alone, told])
  },
})
