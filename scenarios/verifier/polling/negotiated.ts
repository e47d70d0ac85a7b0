import { scenario } from '../../../conformance/scenario.ts'

export default scenario({
  id: 'verifier.polling.negotiated',
  title:
    'The verifier polls a pull agent that refuses its recorded version in the highest version of both',
  requirements: ['VRS-NEGOTIATE-HIGHEST'],
  role: 'verifier',
  seconds: 4,
  since: '2.3',
  until: '2.5',
  perMajor: true,
  needs: ['pull_mode'],
  variantOf: 'verifier.polling.asked',
  async run({ machines, check, observe }) {
    const members = { supported_version: '2.5' } // the defect
    const agent = await machines.pullAgent({ versions: ['2.2', '2.3'], members })
    const polls = await agent.polled(3)
    const versions = polls.map(({ version }) => version)
    // Whether polls continue in another version is ambiguity NEGO; which version is used then is not.
    observe('NEGO', 'versions of the paths, in order', versions)
    check('VRS-NEGOTIATE-HIGHEST', 'versions of the paths')
      .of(versions)
      .matches('some, and not the lower of both', (all) => all.length > 0 && !all.includes('2.2'))
  },
})
