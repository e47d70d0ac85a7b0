import { scenario } from '../../../conformance/scenario.ts'
import { checkBootLogs } from '../support/engine.ts'

export default scenario({
  id: 'push-agent.evidence.boot-log',
  title: 'A push agent sends the whole firmware log of its machine',
  requirements: ['PSH-EVIDENCE-BOOT-LOG'],
  role: 'push_agent',
  seconds: 5,
  needs: ['uefi_log'],
  since: '3.0',

  async run(context) {
    const { operations } = await context.pushAgents.recording()
    checkBootLogs(context, 'PSH-EVIDENCE-BOOT-LOG', operations)
  },
})
