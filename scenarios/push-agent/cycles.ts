import { checkPushCycles, PUSH_CYCLES, scenario } from '../../conformance/dsl.ts'

export default scenario({
  id: 'push-agent.cycles',
  title: 'A push agent negotiates, attests, waits and negotiates again, and serves nothing',
  requirements: [...PUSH_CYCLES],
  role: 'push_agent',
  seconds: 5,
  since: '3.0',

  async run(context) {
    checkPushCycles(context, await context.pushAgents.story())
  },
})
