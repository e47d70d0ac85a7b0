import { scenario } from '../../../conformance/scenario.ts'

/** A registrar of these versions has no GET /version, which exists from 2.3 on. */
const VERSIONS = ['2.1', '2.2']

export default scenario({
  id: 'pull-agent.registration.unlisted',
  title: 'A pull agent registers with a registrar that has no GET /version (2.1, 2.2)',
  requirements: ['AGT-REG-VERSION', 'AGT-REG-ACTIVATES'],
  role: 'pull_agent',
  seconds: 3,
  since: '2.1',
  until: '2.2',
  perMajor: true,
  async run({ pullAgents, check, observe, until }) {
    const answer = { status: 404, body: { code: 404, status: 'Not Found', results: {} } }
    const agent = await pullAgents.start({
      registrarVersions: VERSIONS,
      misbehave: [{ on: 'version', answer, times: Number.POSITIVE_INFINITY }],
    })
    const { exitReason, withinMs } = agent.process
    const isActivated = () => (agent.registration()?.activated ?? false) !== false
    await until(() => isActivated() || exitReason() !== undefined, { withinMs })
    const { version, activated } = agent.registration() ?? {}
    check('AGT-REG-VERSION', 'the version of the registration').of(version).isOneOf(VERSIONS)
    check('AGT-REG-ACTIVATES', 'activated').of(activated).isOneOf(['base64', 'raw'])
    observe('REGVERSION', 'with a registrar that lists none', version)
  },
})
