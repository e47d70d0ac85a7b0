import { scenario } from '../../../conformance/scenario.ts'
import { checkRoutes } from '../support/check-routes.ts'

/** Versions that a registrar lists; an agent of 2.1 to 2.5 can use one at least. */
const LISTS = [
  { id: 'oldest', versions: ['2.1'] },
  { id: 'middle', versions: ['2.2', '2.3'] },
  { id: 'beyond', versions: ['2.2', '2.4', '2.9', '3.0'] },
]

export default LISTS.map(({ id, versions }) =>
  scenario({
    id: `pull-agent.registration.versions.${id}`,
    title: `A pull agent registers under a version listed by its registrar (${versions.join(', ')})`,
    requirements: [
      ...['AGT-REG-VERSION', 'AGT-REG-VERSION-HIGHEST', 'AGT-REG-ID', 'AGT-REG-ACTIVATES'],
    ],
    role: 'pull_agent',
    seconds: 3,
    since: '2.1',
    until: '2.5',
    perMajor: true,
    async run({ pullAgents, check, observe }) {
      const agent = await pullAgents.fresh({ registrarVersions: versions })
      const { version, activated } = agent.registration
      check('AGT-REG-VERSION', 'the version of the registration').of(version).isOneOf(versions)
      check('AGT-REG-ACTIVATES', 'activated').of(activated).isOneOf(['base64', 'raw'])
      checkRoutes({ check }, agent)
      const highest = version === versions.filter((one) => Number(one) <= 2.6).at(-1)
      check('AGT-REG-VERSION-HIGHEST', 'the highest common one').of(highest).is(true)
      observe('REGVERSION', `of ${versions.join(', ')}`, version)
    },
  }),
)
