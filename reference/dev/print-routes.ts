import { AGENT_ROUTES } from '../api/routes/agent.ts'
import { REGISTRAR_ROUTES } from '../api/routes/registrar.ts'
import type { Route } from '../api/routes/route.ts'
import { VERIFIER_ROUTES } from '../api/routes/verifier.ts'
import { API_VERSIONS, isWithin } from '../api/versions.ts'

/**
 * `node bin/dev.js reference/dev/print-routes.ts` prints as JSON which routes the components serve in each version:
 * component and version -> `GET /agents/{agent_id}`, without the prefix of the version.
 */
const TABLES: Readonly<Record<string, readonly Route[]>> = {
  registrar: REGISTRAR_ROUTES,
  verifier: VERIFIER_ROUTES,
  agent: AGENT_ROUTES,
}

const served = Object.entries(TABLES).flatMap(([component, routes]) =>
  API_VERSIONS.map((version) => [
    `${component} ${version}`,
    routes
      .filter((route) => isWithin(version, route))
      .map(({ method, path }) => `${method} ${path}`),
  ]),
)
console.log(JSON.stringify(Object.fromEntries(served)))
