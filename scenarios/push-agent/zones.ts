import { scenario } from '../../conformance/scenario.ts'

/**
 * Offsets from UTC in minutes. An agent that does not read them takes these times for past or for future ones; one that
 * ignores the offsets when it compares the times of an answer takes the last ends for past ones.
 */
const ZONES = {
  'an hour and a half west of UTC': { zoneMinutes: -90 },
  'two hours east of UTC': { zoneMinutes: 120 },
  'at UTC, and writes ends as an hour west of it': { zoneMinutes: 0, endZoneMinutes: -60 },
}

export default scenario({
  id: 'push-agent.zones',
  title: 'A push agent attests to a verifier that writes its times with another offset from UTC',
  requirements: ['PSH-TIME-ZONES', 'PSH-SESSION-FIRST'],
  role: 'push_agent',
  seconds: 6,
  since: '3.0',
  async run({ pushAgents, check }) {
    const agent = await pushAgents.start({ verifier: {} })
    const [first] = await agent.took('session')
    check('PSH-SESSION-FIRST', 'a session is opened').of(first?.step).is('session')
    for (const [says, zones] of Object.entries(ZONES)) {
      agent.verifier.set(zones)
      agent.verifier.forgetTokens()
      // Two, as the first may have been on its way.
      check('PSH-TIME-ZONES', `evidence to a verifier that is ${says}`)
        .of(await agent.takesInSession('evidence', 2))
        .is(true)
    }
  },
})
