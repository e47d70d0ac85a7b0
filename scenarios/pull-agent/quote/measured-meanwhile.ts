import { results, scenario } from '../../../conformance/scenario.ts'
import { compareQuote, freshNonce, readQuote } from '../support/engine.ts'
import { imaListOf } from '../support/machine-logs.ts'

const READS_10 = /\b10\b/

export default scenario({
  id: 'pull-agent.quote.measured-meanwhile',
  title:
    'A pull agent returns PCR values and a list that fit its quote if a file is measured meanwhile',
  requirements: ['AGT-INTEGRITY-QUOTE-PCRS', 'AGT-INTEGRITY-LIST-REPLAYS'],
  role: 'pull_agent',
  needs: ['ima_log'],
  since: '2.1',
  until: '2.5',
  variantOf: 'pull-agent.quote.list-grows',
  async run({ pullAgents, random, check, observe }) {
    const agent = await pullAgents.shared()
    const before = imaListOf(agent.machine)
    const nonce = freshNonce(random)
    const { answer, wasPlayed } = await agent.playDuring(
      () => agent.integrity({ nonce, mask: '0x400', partial: '0' }),
      ({ command, detail }) =>
        (command === 'TPM2_PCR_Read' || command === 'TPM2_Quote') && READS_10.test(detail),
      'measure /usr/bin/started-meanwhile', // the defect
    )
    observe('MEASUREDMEANWHILE', 'whether the file was measured before the answer', wasPlayed)
    const found = await compareQuote(readQuote(String(results(answer, 'quote'))), {
      machine: agent.machine,
      attestationKey: String(agent.registration.body['aik_tpm']),
      nonce,
    })
    check('AGT-INTEGRITY-QUOTE-PCRS', 'whether the PCR values fit the quote')
      .of(found.fits)
      .is(true)
    // The quote covers the file, or was made before it.
    const covered = found.untrue.includes(10) ? before : imaListOf(agent.machine)
    check('AGT-INTEGRITY-LIST-REPLAYS', 'whether the list begins with the entries in the quote')
      .of(String(results(answer, 'ima_measurement_list')).startsWith(covered))
      .is(true)
  },
})
