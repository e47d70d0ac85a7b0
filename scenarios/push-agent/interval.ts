import { scenario } from '../../conformance/scenario.ts'
import { checkWait, isWait, nextWait } from './support/check-interval.ts'

const OWN = 2
/** One after the other, as a verifier may change what it suggests. */
const SUGGESTED = [4, 1]

export default scenario({
  id: 'push-agent.interval',
  title:
    'A push agent waits for its configured interval, or for the one that its verifier suggests',
  requirements: ['PSH-STATE-INTERVAL', 'PSH-STATE-INTERVAL-SETTING'],
  role: 'push_agent',
  seconds: 11,
  since: '3.0',
  async run({ pushAgents, check, observe, notApplicable }) {
    const agent = await pushAgents.start({ interval: OWN, verifier: { secondsToNext: undefined } })
    if (!agent.patience.taken.interval)
      notApplicable('the push_agent command has no placeholder for the interval')
    const alone = await nextWait(agent)
    checkWait(check, 'PSH-STATE-INTERVAL-SETTING', alone, [OWN])
    checkWait(check, 'PSH-STATE-INTERVAL', alone, [OWN])
    for (const seconds of SUGGESTED) {
      agent.verifier.set({ secondsToNext: seconds })
      const suggested = await nextWait(agent)
      check('PSH-STATE-INTERVAL', 'milliseconds from accepted evidence to the next offer')
        .measured(suggested)
        .meets({ configured: (ms) => isWait(ms, OWN), suggested: (ms) => isWait(ms, seconds) })
      observe('INTERVAL', 'milliseconds without and with a suggestion', [alone, suggested])
    }
  },
})
