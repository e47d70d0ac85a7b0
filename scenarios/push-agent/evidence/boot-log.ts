import { checkPushBootLogs, scenario } from '../../../conformance/dsl.ts'

export default scenario({
  id: 'push-agent.evidence.boot-log',
  title: 'The firmware log that a push agent sends is that of its machine, whole',
  requirements: ['PSH-EVIDENCE-BOOT-LOG'],
  role: 'push_agent',
  seconds: 5,
  needs: ['uefi_log'],
  since: '3.0',

  async run(context) {
    const { deeds } = await context.pushAgents.story()
    checkPushBootLogs(context, 'PSH-EVIDENCE-BOOT-LOG', deeds)
  },
})
