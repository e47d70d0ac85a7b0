import type { Server } from '../peers/server.ts'
import type { TenantSession } from '../session.ts'
import type { AddRequest } from './add-request.ts'
import type { Identity } from './identity.ts'
import type { BootstrapKeys } from './payload/bootstrap-keys.ts'
import type { Registration } from './registration.ts'

/** What the steps of an addition find out, each for those behind it. */
export interface Found {
  readonly registration: Registration
  readonly agent: Server
  /** The agent's answer, and the nonce that it was asked for. */
  readonly identity: Identity & { readonly nonce: string }
  readonly keys: BootstrapKeys
}

/** An agent that is being added. */
export interface Adding {
  readonly tenant: TenantSession
  readonly request: AddRequest
  readonly found: Partial<Found>
}

/** One step of an addition; what it gives is there for the steps behind it. */
export interface AddStep {
  readonly id: string
  readonly why: string
  /** Whether the step changes state at a server or at the agent; the steps before it only read. */
  readonly isLasting?: true
  /** @throws {TenantFault} and nothing behind it is done */
  run(adding: Adding): Promise<Partial<Found>>
}

/** What an earlier step has found; a list of steps without that step is no list. */
export function foundBefore<Name extends keyof Found>(
  { found }: Adding,
  name: Name,
): NonNullable<Found[Name]> {
  const value = found[name]
  if (value === undefined) throw new Error(`no step before has found ${name}`)
  return value
}

/** Takes the steps in their order. @throws {TenantFault} of the first that does not succeed */
export async function takeSteps(
  steps: readonly AddStep[],
  tenant: TenantSession,
  request: AddRequest,
): Promise<void> {
  let found: Partial<Found> = {}
  try {
    for (const step of steps) found = { ...found, ...(await step.run({ tenant, request, found })) }
  } finally {
    found.agent?.close()
  }
}
