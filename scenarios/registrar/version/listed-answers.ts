import { scenario } from '../../../conformance/scenario.ts'
import { checkListed } from '../support/check-listed.ts'

export default scenario({
  id: 'registrar.version.listed-answers',
  title: 'The registrar serves each version that GET /version lists, with the agents of the others',
  requirements: ['REG-VERSION-LISTED-ANSWERS', 'REG-LIST-UUIDS'],
  role: 'registrar',
  since: '2.3',
  async run(context) {
    const agent = await context.machines.silentAgent()
    await agent.activate()
    await checkListed(context, agent.id)
  },
})
