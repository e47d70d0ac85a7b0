import { scenario } from '../../conformance/scenario.ts'
import { addedBody, tenantOperations } from './support/tenant-operations.ts'

const VERSIONS = ['2.1', '2.2', '2.3', '2.4', '2.5']
/** A version of the future. */
const LATER = '9.9'
/** Versions of which an agent names the latest alone. */
const WITHOUT_LIST = ['2.1', '2.2']

/** Lists of an agent's versions by the highest that a tenant shares: in either order, and with a later version. */
const LISTS: Readonly<Record<string, (shared: readonly string[]) => readonly string[]>> = {
  '2.3': (shared) => shared.toReversed(),
  '2.4': (shared) => [...shared, LATER],
  '2.5': (shared) => [LATER, ...shared.toReversed()],
}

export default scenario({
  id: 'tenant.versions',
  title:
    'A tenant uses the highest version that it shares with the agent, and sends that version to the verifier',
  requirements: ['TEN-NEGOTIATES', 'TEN-NEGOTIATES-SOURCE', 'TEN-SUPPORTED-VERSION'],
  role: 'tenant',
  since: '2.1',
  until: '2.5',
  async run({ tenants, version, check }) {
    const shared = VERSIONS.filter((one) => one <= version)
    const agentVersions = LISTS[version]?.(shared) ?? shared
    const stage = await tenants.stage({
      agentVersions,
      withoutVersionList: WITHOUT_LIST.includes(version),
    })
    const { code } = await stage.run('-c', 'add', '-u', stage.agentId)
    const operations = tenantOperations(stage)
    const { agentPaths } = operations
    const spoken = agentPaths.filter((path) => path.startsWith('/v') && path !== '/version')
    check('TEN-NEGOTIATES', 'paths under another version')
      .of(spoken.filter((path) => !path.startsWith(`/v${version}/`)))
      .is([])
    check('TEN-NEGOTIATES', 'requests under the version')
      .of(spoken.length > 0)
      .is(true)
    check('TEN-NEGOTIATES-SOURCE', 'source of the version')
      .of(agentPaths)
      .meets({
        'the agent': (paths) => paths.includes('/version'),
        elsewhere: (paths) => !paths.includes('/version'),
      })
    check('TEN-SUPPORTED-VERSION', 'supported_version')
      .of(addedBody(operations, code)['supported_version'])
      .is(version)
  },
})
