import type { TenantOptions } from '../options.ts'
import type { Tenant } from '../tenant.ts'

/** The result of a command. */
export interface Outcome {
  /** For programs: reports/schema/tenant.schema.json. */
  readonly result: Readonly<Record<string, unknown>>
  /** Text output; may be several lines. */
  readonly text: string
}

/** A command of the tenant. @throws {TenantFault} */
export type Run = (tenant: Tenant, options: TenantOptions) => Promise<Outcome>

/** An entry of the command table. */
export interface Command {
  readonly about: string
  /** Imports the command's module, and not those of the other commands. */
  load(): Promise<Run>
}
