import { scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'verifier.polling.negotiated',
  title:
    'A pull agent that refuses the version it was added with is asked in the highest that both speak',
  requirements: ['VRS-NEGOTIATE-HIGHEST'],
  role: 'verifier',
  seconds: 4,
  since: '2.3',
  until: '2.5',
  perMajor: true,
  needs: ['pull_mode', 'ima_log'],
  variantOf: 'verifier.polling.asked',
  async run({ machines, check, observe }) {
    const members = { supported_version: '2.5' } // the defect
    const agent = await machines.pullAgent({ versions: ['2.2', '2.3'], members })
    const polls = await agent.polled(3)
    const versions = polls.map(({ version }) => version)
    // Whether it asks on in another version than it was told is ambiguity NEGO; in which, then, is not.
    observe('NEGO', 'versions of the paths, one after the other', versions)
    check('VRS-NEGOTIATE-HIGHEST', 'versions of the paths')
      .of(versions)
      .matches('some, and not the lower of both', (all) => all.length > 0 && !all.includes('2.2'))
  },
})
