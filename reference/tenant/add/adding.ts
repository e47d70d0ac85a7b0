import type { Server } from '../peers/server.ts'
import type { TenantSession } from '../session.ts'
import type { AddRequest } from './add-request.ts'
import type { Identity } from './identity.ts'
import type { BootstrapKeys } from './payload/bootstrap-keys.ts'
import type { Registration } from './registration.ts'

/** Results of the steps of an addition, for the later steps. */
interface Found {
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

/** A step of an addition; later steps can use its results. */
export interface AddStep {
  readonly id: string
  readonly why: string
  /** Whether the step changes state at a server or at the agent; the steps before it only read. */
  readonly isLasting?: true
  /** @throws {TenantFault} and nothing behind it is done */
  run(adding: Adding): Promise<Partial<Found>>
}

/** The result of an earlier step. @throws {Error} if no earlier step has it, which is a defect of the list */
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
