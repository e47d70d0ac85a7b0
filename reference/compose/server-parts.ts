import { mountRoutes } from '../api/mounts.ts'
import type { Route } from '../api/routes/route.ts'
import { ACTIONS } from '../authorization/actions.ts'
import { administratorOf, type IdentityParts, selectIdentity } from '../authorization/identity.ts'
import { AUTHORIZATION_PROVIDERS, type ProviderRegistry } from '../authorization/providers.ts'
import { type HttpRules, httpRules } from '../http-server/http-rules.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import { type Random, systemRandom } from '../platform/random.ts'

/** Parts of every listening component that a mutant may replace. */
export interface CommonParts {
  readonly mountRoutes: typeof mountRoutes
  readonly clock: Clock
  readonly random: Random
  readonly httpRules: HttpRules
}

/** Parts of verifier and registrar. */
export interface ServerParts extends CommonParts, IdentityParts {
  readonly authorizationProviders: ProviderRegistry
  /** The routes that are also served without TLS. */
  plainRoutes<Row extends Route>(routes: readonly Row[]): readonly Row[]
}

export const COMMON_PARTS: CommonParts = {
  mountRoutes,
  clock: systemClock,
  random: systemRandom,
  httpRules,
}

export const SERVER_PARTS: ServerParts = {
  ...COMMON_PARTS,
  administratorOf,
  selectIdentity,
  authorizationProviders: AUTHORIZATION_PROVIDERS,
  plainRoutes: (routes) => routes.filter(({ action }) => ACTIONS[action] === 'public'),
}
