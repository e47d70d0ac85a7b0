import { scenario } from '../../../conformance/scenario.ts'
import { checkListCoversQuote } from '../support/engine.ts'

const READS_10 = /\b10\b/

export default scenario({
  id: 'push-agent.evidence.measured-meanwhile',
  title:
    'A push agent sends a list with all entries that its quote covers if a file is measured meanwhile',
  requirements: ['PSH-EVIDENCE-REPLAYS'],
  role: 'push_agent',
  seconds: 4,
  needs: ['ima_log'],
  since: '3.0',
  variantOf: 'push-agent.evidence.lists',
  async run(context) {
    // An agent that collects in the order of the request reads the list before it quotes. The file comes after its offer,
    // so that a number of entries would be one too few.
    const agent = await context.pushAgents.start({
      verifier: { logsFirst: true, countsEntries: false },
    })
    let played: Promise<void> | undefined
    agent.afterCommand(
      ({ command, detail }) =>
        agent.operations.at(-1)?.step === 'capabilities' &&
        (command === 'TPM2_PCR_Read' || command === 'TPM2_Quote') &&
        READS_10.test(detail),
      () => {
        played = agent.play('measure /usr/bin/started-meanwhile') // the defect
      },
    )
    const [first] = await agent.took('evidence')
    await played
    context.observe(
      'MEASUREDMEANWHILE',
      'whether the file was measured before the evidence',
      played !== undefined,
    )
    if (first !== undefined) await checkListCoversQuote(context, first)
  },
})
