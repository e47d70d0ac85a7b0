import { type PullAgent, scenario } from '../../../conformance/scenario.ts'

/** Lists of agents whose highest version in common with a verifier is 2.3. */
const LISTED = [
  ['2.2', '2.3'],
  ['2.3', '2.2'],
  ['2.2', '2.3', '2.9'],
] as const

export default scenario({
  id: 'verifier.polling.negotiated',
  title:
    'The verifier polls a pull agent that refuses its recorded version in the highest version of both',
  requirements: ['VRS-NEGOTIATE-HIGHEST'],
  role: 'verifier',
  seconds: 4,
  since: '2.3',
  until: '2.5',
  needs: ['pull_mode'],
  variantOf: 'verifier.polling.asked',
  async run({ machines, check, observe }) {
    const members = { supported_version: '2.5' } // the defect
    const askOne = async (versions: readonly string[]) => {
      const agent = await machines.pullAgent({ versions, members })
      const used = (await agent.polled(3)).map(({ version }) => version)
      const says = versions.join(', ')
      // Whether polls continue in another version is ambiguity NEGO; which version is used then is not.
      observe('NEGO', `versions of the paths for an agent of ${says}, in order`, used)
      check('VRS-NEGOTIATE-HIGHEST', `versions of the paths for an agent of ${says}`)
        .of(used)
        .matches('some, and not the lower of both', (all) => all.length > 0 && !all.includes('2.2'))
      if (!isAskedForVersions(agent)) return
      check('VRS-NEGOTIATE-HIGHEST', `version of the last path, after the agent listed ${says}`)
        .of(used.at(-1))
        .is('2.3')
    }
    await Promise.all(LISTED.map(askOne))
  },
})

function isAskedForVersions({ asked }: PullAgent): boolean {
  return asked.some(({ operation }) => operation === 'version')
}
