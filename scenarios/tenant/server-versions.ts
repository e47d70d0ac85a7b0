import { scenario } from '../../conformance/scenario.ts'

/**
 * Lists of versions by the highest in which a tenant can add an agent: 3.0 has no routes for that at a verifier, and all
 * that a tenant asks of a registrar.
 */
const LISTS = {
  '2.2': ['2.1', '2.2'],
  '2.3': ['3.0', '2.3'],
  '2.4': ['9.9', '2.4', '2.1'],
}

/** The highest versions of the two servers, which differ. */
const HIGHEST = [
  { registrar: '2.2', verifier: '2.3' },
  { registrar: '2.3', verifier: '2.4' },
  { registrar: '2.4', verifier: '2.2' },
] as const

export default scenario({
  id: 'tenant.server-versions',
  title: 'A tenant uses the highest version that it shares with registrar and verifier',
  requirements: ['TEN-NEGOTIATES-SERVERS'],
  role: 'tenant',
  seconds: 4,
  since: '2.1',
  until: '2.5',
  perMajor: true,
  async run({ tenants, check }) {
    for (const { registrar, verifier } of HIGHEST) {
      const serverVersions = { registrar: LISTS[registrar], verifier: LISTS[verifier] }
      const stage = await tenants.stage({ serverVersions })
      await stage.run('-c', 'add', '-u', stage.agentId)
      if (verifier === '2.2') await stage.run('-c', 'listruntimepolicies')
      for (const [peer, version] of [
        ['registrar', registrar],
        ['verifier', verifier],
      ] as const) {
        const listed = serverVersions[peer]
        const paths = stage.requests
          .filter((one) => one.peer === peer)
          .map(({ request }) => request.url)
        const others = peer === 'registrar' && listed.includes('3.0') ? [['3.0'], ['3']] : []
        const versions = paths.flatMap((path) => /^\/v([\d.]+)\//.exec(path)?.[1] ?? [])
        check('TEN-NEGOTIATES-SERVERS', `versions of requests to the ${peer}, which has ${listed}`)
          .of([...new Set(versions)])
          .isOneOf([[version], ...others])
      }
    }
  },
})
