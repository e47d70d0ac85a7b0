import type { Cell } from './cell.ts'
import { ourPullAgent } from './cells/our-pull-agent.ts'
import { ourPushAgent } from './cells/our-push-agent.ts'
import { ourRegistrar } from './cells/our-registrar.ts'
import { suiteOnPullVerifier, suiteOnPushVerifier, suiteOnRegistrar } from './cells/our-suite.ts'
import { ourTenantCell } from './cells/our-tenant.ts'
import { ourVerifier } from './cells/our-verifier.ts'

/** Every meeting, in the order in which they are held. */
export const cells: readonly Cell[] = [
  ourPullAgent,
  ourPushAgent,
  ourRegistrar,
  ourVerifier,
  ourTenantCell,
  suiteOnRegistrar,
  suiteOnPullVerifier,
  suiteOnPushVerifier,
]
