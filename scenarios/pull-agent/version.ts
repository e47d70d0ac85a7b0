import { ANONYMOUS, isRefusal, listOf, results, scenario } from '../../conformance/scenario.ts'

const VERSION = /^\d+\.\d+$/

/** The newest of some versions, compared numerically: 2.10 comes after 2.9. */
const newest = (versions: readonly string[]) =>
  versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)

/** Whether a member is absent or a list of strings. */
function isAbsentOrTexts(member: unknown): boolean {
  if (member === undefined || member === null) return true
  return listOf(member)?.every((one) => typeof one === 'string') === true
}

export default scenario({
  id: 'pull-agent.version',
  title: 'A pull agent reports its latest version and serves every version that it lists',
  requirements: [
    'AGT-VERSION-ROUTE',
    'AGT-VERSION-SUPPORTED',
    'AGT-VERSION-LIST',
    'AGT-VERSION-LATEST',
    'AGT-VERSION-LIST-HAS-LATEST',
    'AGT-VERSION-LIST-OPTIONAL',
    'AGT-VERSION-OPEN',
    'AGT-VERSION-FROM-20',
    'AGT-IS-SERVER',
  ],
  role: 'pull_agent',
  since: '2.0',
  until: '2.5',
  async run({ pullAgents, version, check, observe }) {
    const agent = await pullAgents.shared()
    const reply = await agent.ask('GET', '/version')
    if (version === '2.0') {
      check('AGT-VERSION-FROM-20', 'GET /version')
        .of(reply)
        .meets({
          there: () => VERSION.test(String(results(reply, 'supported_version'))),
          absent: isRefusal,
        })
      return
    }
    check('AGT-IS-SERVER', 'HTTP status, over TLS')
      .of(reply.status)
      .matches('any', (status) => status !== undefined)
    check('AGT-VERSION-ROUTE', 'HTTP status of GET /version')
      .of(reply.status)
      .meets({ there: (status) => status === 200, absent: (status) => status === 404 })
    if (reply.status === 404) return
    const open = await agent.ask('GET', '/version', { as: ANONYMOUS })
    check('AGT-VERSION-OPEN', 'GET /version without a certificate')
      .of(open)
      .meets({ closed: isRefusal, open: ({ status }) => status === 200 })
    const latest = results(reply, 'supported_version')
    check('AGT-VERSION-SUPPORTED', 'the type of supported_version')
      .of(typeof latest)
      .is('string')
    const supported = String(latest)
    check('AGT-VERSION-LATEST', 'supported_version')
      .of(supported)
      .matches('a version, without a v', (text) => VERSION.test(text))
    const reported = results(reply, 'supported_versions')
    const listed = listOf(reported)?.map(String)
    if (version !== '2.5') return
    check('AGT-VERSION-LIST-OPTIONAL', 'supported_versions')
      .of(reported)
      .meets({ there: Array.isArray, absent: (list) => list === undefined })
    observe('SVOPT', 'supported_versions', listed ?? 'absent')
    check('AGT-VERSION-LIST', 'supported_versions')
      .of(reported)
      .matches('absent, or a list of strings', isAbsentOrTexts)
    if (listed === undefined) return
    check('AGT-VERSION-LIST-HAS-LATEST', 'supported_version').of(supported).isOneOf(listed)
    check('AGT-VERSION-LATEST', 'the newest of supported_versions').of(newest(listed)).is(supported)
    const refused = []
    for (const one of listed) {
      const { status } = await agent.call('pubkey', { version: one })
      if (status !== 200) refused.push(one)
    }
    check('AGT-VERSION-LATEST', 'listed versions that are not served').of(refused).is([])
  },
})
