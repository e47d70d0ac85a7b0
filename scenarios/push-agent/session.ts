import { checkPushOpening, checkPushProofs, PUSH_SESSION, scenario } from '../../conformance/dsl.ts'

export default scenario({
  id: 'push-agent.session',
  title: 'A push agent opens a session, and proves that it has the key that it registered',
  requirements: [...PUSH_SESSION],
  role: 'push_agent',
  seconds: 5,
  since: '3.0',

  async run(context) {
    const story = await context.pushAgents.story()
    checkPushOpening(context, story)
    checkPushProofs(context, story)
  },
})
