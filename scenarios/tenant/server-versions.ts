import { scenario } from '../../conformance/scenario.ts'

/** Lists of versions by the highest that a tenant shares, neither the first nor the last of them. */
const LISTS = {
  '2.2': ['2.1', '2.2'],
  '2.4': ['9.9', '2.4', '2.1'],
}

export default scenario({
  id: 'tenant.server-versions',
  title: 'A tenant uses the highest version that it shares with registrar and verifier',
  requirements: ['TEN-NEGOTIATES-SERVERS'],
  role: 'tenant',
  seconds: 3,
  since: '2.1',
  until: '2.5',
  perMajor: true,
  async run({ tenants, check }) {
    for (const [version, serverVersions] of Object.entries(LISTS)) {
      const stage = await tenants.stage({ serverVersions })
      await stage.run('-c', 'add', '-u', stage.agentId)
      for (const peer of ['registrar', 'verifier'] as const) {
        const paths = stage.requests
          .filter((one) => one.peer === peer)
          .map(({ request }) => request.url)
        const versions = paths.flatMap((path) => /^\/v([\d.]+)\//.exec(path)?.[1] ?? [])
        check(
          'TEN-NEGOTIATES-SERVERS',
          `versions of requests to the ${peer}, which has ${serverVersions}`,
        )
          .of([...new Set(versions)])
          .is([version])
      }
    }
  },
})
