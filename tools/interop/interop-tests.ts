import type { InteropTest } from './interop-test.ts'
import { ourPullAgent } from './tests/our-pull-agent.ts'
import { ourPushAgent } from './tests/our-push-agent.ts'
import { ourRegistrar } from './tests/our-registrar.ts'
import { suiteOnPullVerifier, suiteOnPushVerifier, suiteOnRegistrar } from './tests/our-suite.ts'
import { ourTenantOfPushAgents, ourTenantTest } from './tests/our-tenant.ts'
import { ourVerifier, ourVerifierOfPushAgents } from './tests/our-verifier.ts'

/** The tests of our agents, servers and tenant, in the order in which they run. */
export const interopTests: readonly InteropTest[] = [
  ourPullAgent,
  ourPushAgent,
  ourRegistrar,
  ourVerifier,
  ourVerifierOfPushAgents,
  ourTenantTest,
  ourTenantOfPushAgents,
]

/** The suite has the servers last: what it sends is not always gone when it ends. */
export const suiteTests: readonly InteropTest[] = [
  suiteOnRegistrar,
  suiteOnPullVerifier,
  suiteOnPushVerifier,
]
