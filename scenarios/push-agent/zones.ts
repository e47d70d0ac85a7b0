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

/** More milliseconds than 32 bits hold. */
const MONTH_MS = 30 * 86_400_000

export default scenario({
  id: 'push-agent.zones',
  title:
    'A push agent attests to a verifier that writes its times with another offset from UTC, or the ends with another fraction',
  requirements: ['PSH-TIME-ZONES', 'PSH-SESSION-FIRST', 'PSH-STATE-ATTESTING'],
  role: 'push_agent',
  seconds: 7,
  since: '3.0',
  async run({ pushAgents, check }) {
    const agent = await pushAgents.start({ verifier: {} })
    const [first] = await agent.took('session')
    check('PSH-SESSION-FIRST', 'a session is opened').of(first?.step).is('session')
    const attests = (settings: Parameters<typeof agent.verifier.set>[0]) => {
      agent.verifier.set(settings)
      agent.verifier.forgetTokens()
      // Two, as the first may have been on its way.
      return agent.takesInSession('evidence', 2)
    }
    for (const [says, zones] of Object.entries(ZONES))
      check('PSH-TIME-ZONES', `evidence to a verifier that is ${says}`)
        .of(await attests(zones))
        .is(true)
    const inUtc = { zoneMinutes: undefined, endZoneMinutes: undefined, roundsTimes: true }
    const lasting = { challengeMs: MONTH_MS, sessionChallengeMs: MONTH_MS, roundsTimes: false }
    for (const [says, ends] of [
      ['have a smaller fraction', inUtc],
      ['are a month away', lasting],
    ] as const)
      check('PSH-STATE-ATTESTING', `evidence to a verifier whose ends ${says}`)
        .of(await attests(ends))
        .is(true)
  },
})
