import { scenario } from '../../../conformance/scenario.ts'
import { agentOfVersion, isPublicArea } from '../support/legacy-agent.ts'

export default scenario({
  id: 'pull-agent.legacy.registration',
  title: 'A pull agent registers and activates at a registrar that has API 2.0 alone',
  requirements: [
    ...['LEG-REG-REGISTER', 'LEG-REG-ACTIVATE', 'LEG-REG-ACTIVATE-AUTH-TAG'],
    ...['LEG-REG-REGISTER-AIK', 'LEG-REG-REGISTER-AIK-VALUE', 'LEG-REG-REGISTER-NO-MTLS-CERT'],
  ],
  role: 'pull_agent',
  seconds: 3,
  since: '2.0',
  until: '2.0',
  async run(context) {
    const { pullAgents, check, until } = context
    await agentOfVersion(context)
    const agent = await pullAgents.start({ registrarVersions: ['2.0'] })
    const { exitReason, withinMs } = agent.process
    const isActivated = () => (agent.registration()?.activated ?? false) !== false
    await until(() => isActivated() || exitReason() !== undefined, { withinMs })
    const asked = (method: string) =>
      agent.registrar.exchanges
        .map(({ request }) => request)
        .findLast((one) => one.method === method)
    const path = new RegExp(`^/v2(\\.0)?/agents/${agent.id}`)
    check('LEG-REG-REGISTER', 'the path of its registration')
      .of(asked('POST')?.url)
      .matches('/v2/agents/ and its id', (url = '') => path.test(url))
    const { body = {}, activated } = agent.registration() ?? {}
    const members = Object.keys(body)
    check('LEG-REG-REGISTER-AIK', 'members of its registration')
      .of(members)
      .meets({
        aik: (names) => names.includes('aik'),
        aik_tpm: (names) => names.includes('aik_tpm'),
      })
    check('LEG-REG-REGISTER-AIK-VALUE', 'the AIK of its registration')
      .of(String(body['aik'] ?? body['aik_tpm']))
      .meets({ 'as aik_tpm': isPublicArea, otherwise: (key) => key.startsWith('-----BEGIN') })
    check('LEG-REG-REGISTER-NO-MTLS-CERT', 'members of its registration')
      .of(members)
      .meets({
        there: (names) => names.includes('mtls_cert'),
        absent: (names) => !names.includes('mtls_cert'),
      })
    check('LEG-REG-ACTIVATE', 'the path of its activation')
      .of(asked('PUT')?.url)
      .matches('/v2/agents/ and its id', (url = '') => path.test(url))
    check('LEG-REG-ACTIVATE-AUTH-TAG', 'the form of the challenge in its tag')
      .of(activated)
      .isOneOf(['base64', 'raw'])
  },
})
