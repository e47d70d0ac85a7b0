import type { RouteRow } from '../../../conformance/catalogue/routes/route-row.ts'
import type { Scenario } from '../../../conformance/scenario.ts'
import { type Place, probeRoute } from './probe-route.ts'
import { knownPlaces } from './route-cells.ts'

/** Undefined versions: before the first, between those of the document, and after the last. */
const PREFIXES = ['/v0', '/v1.1', '/v2.7', '/v2.10', '/v3.1', '/v4', '/v4.0', ''] as const

const PLACES: readonly Place[] = [
  { method: 'GET', path: '/agents/' },
  { method: 'GET', path: '/agents/{agent_id}' },
  { method: 'POST', path: '/agents/{agent_id}' },
]

const REQUIREMENT = 'VRS-UNKNOWN-PREFIX'

/** A component serves nothing under an undefined version, and no versioned route at its root. */
export function unknownVersions(place: string, component: RouteRow['component']): Scenario {
  const cells = PREFIXES.flatMap((prefix) =>
    PLACES.map(({ method, path }) => ({ method, path: `${prefix}${path}` })),
  )
  const nameOf = ({ method, path }: Place) => `${component} ${method} ${path}`
  return {
    id: `${place}.${component}.unknown-versions`,
    title: `The ${component} serves no operation under an undefined version`,
    requirements: [REQUIREMENT],
    role: component,
    since: '2.5',
    matrix: { name: 'routes', cells: () => cells.map(nameOf) },
    async run({ version, verifier, random, check, asks, observe, ...clients }) {
      const client = component === 'verifier' ? verifier : clients.registrar
      const known = knownPlaces(component, version, client.dialect)
      for (const cell of cells.filter((one) => asks(nameOf(one)))) {
        const finding = await probeRoute(
          { client, credentials: verifier.admin, random },
          cell,
          known,
        )
        const what = `${cell.method} ${cell.path}`
        if (finding === 'unclear') observe('ROUTE', what, finding)
        else check(REQUIREMENT, what, nameOf(cell)).of(finding).is('absent')
      }
    },
  }
}
