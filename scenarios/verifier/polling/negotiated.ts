import { isSuccess, type PullAgent, scenario } from '../../../conformance/scenario.ts'

/** Versions of agents whose highest one in common with a verifier is 2.3; the last agent names only its latest. */
const AGENTS = [
  { versions: ['2.2', '2.3'], listsVersions: true },
  { versions: ['2.3', '2.2'], listsVersions: true },
  { versions: ['2.2', '2.3', '2.9'], listsVersions: true },
  { versions: ['2.2', '2.3'], listsVersions: false },
] as const

export default scenario({
  id: 'verifier.polling.negotiated',
  title:
    'The verifier polls a pull agent that refuses its recorded version, or has none recorded, in the highest of both',
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
    const askOne = async ({ versions, listsVersions }: (typeof AGENTS)[number]) => {
      const agent = await machines.pullAgent({ versions, listsVersions, members })
      const used = (await agent.polled(3)).map(({ version }) => version)
      const says = listsVersions ? versions.join(', ') : '2.3, without a list'
      // Whether polls continue in another version is ambiguity NEGO; which version is used then is not.
      observe('NEGO', `versions of the paths for an agent of ${says}, in order`, used)
      check('VRS-NEGOTIATE-HIGHEST', `versions of the paths for an agent of ${says}`)
        .of(used)
        .matches('some, and not the lower of both', (all) => all.length > 0 && !all.includes('2.2'))
      if (!isAskedForVersions(agent)) return
      check(
        'VRS-NEGOTIATE-HIGHEST',
        `version of the last path, after an agent of ${says} was asked for them`,
      )
        .of(used.at(-1))
        .is('2.3')
    }
    const askUnnamed = async () => {
      const [{ versions }] = AGENTS
      const agent = await machines.pullAgent({ until: 'activated', versions })
      // A verifier may require the version (ambiguity REQOPT); without it only the agent can name one.
      const added = await agent.enrol({ supported_version: undefined }) // the defect
      if (!isSuccess(added)) return
      check(
        'VRS-NEGOTIATE-HIGHEST',
        'version of the last path for an agent added without a version',
      )
        .of((await agent.polled(3)).at(-1)?.version)
        .is('2.3')
    }
    await Promise.all([...AGENTS.map(askOne), askUnnamed()])
  },
})

function isAskedForVersions({ asked }: PullAgent): boolean {
  return asked.some(({ operation }) => operation === 'version')
}
