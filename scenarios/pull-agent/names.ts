import { scenario } from '../../conformance/scenario.ts'
import { checkNames, NAME_REQUIREMENTS } from './support/check-names.ts'

export default scenario({
  id: 'pull-agent.names',
  title: 'A pull agent names the algorithms of a quote as its version defines',
  requirements: [...NAME_REQUIREMENTS],
  role: 'pull_agent',
  since: '2.1',
  until: '2.5',
  async run(context) {
    await checkNames(context, await context.pullAgents.shared())
  },
})
