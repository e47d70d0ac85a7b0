import { SetupFault } from '../../input/fault.ts'
import { findListener } from '../processes/find-listener.ts'
import { portTrouble } from '../processes/free-port.ts'
import type { RunDirectory } from '../processes/run-directory.ts'
import { type RunningCommand, spawnRecorded } from '../processes/spawn-recorded.ts'
import type { ServiceRole, StartCommand, Target, TargetRole, VariantName } from '../target.ts'

/** A role that Assay has started. */
export interface StartedRole extends RunningCommand {
  readonly role: ServiceRole
  /** The variant of the role; absent for the role itself. */
  readonly variant?: VariantName
}

export interface RoleToStart extends Pick<TargetRole, 'role' | 'url'> {
  readonly start: StartCommand
  readonly variant?: VariantName
}

/** `verifier`, or `verifier (short_lifetimes)`. */
export function presentRole({ role, variant }: Pick<RoleToStart, 'role' | 'variant'>): string {
  return variant === undefined ? role : `${role} (${variant})`
}

/** Refuses to start a role on a busy port: the scenarios would test the wrong server. */
async function refuseBusyPort(target: Target, { role, url }: RoleToStart): Promise<void> {
  const { hostname, port } = new URL(url)
  const number = Number(port || 443)
  const reason = await portTrouble(number, hostname.replace(/^\[|\]$/g, ''))
  if (reason === undefined) return
  const next = `stop it, or write \${port.${role}} for the port in ${target.file}`
  if (reason === 'EADDRINUSE') {
    const owner = findListener(number) ?? 'another process'
    throw new SetupFault(`port ${number} is busy: ${owner} listens there, and ${role} needs it`, {
      code: 'D-PORT-BUSY',
      next,
    })
  }
  throw new SetupFault(
    `nothing can listen on ${hostname}:${number} (${reason}), and ${role} needs it`,
    { code: 'D-PORT-BUSY' },
  )
}

/**
 * Starts one role in its own process group, with its output in `logs/` of the run directory, and records it before
 * anything else can fail. Throws a {@link SetupFault} for a busy port, a missing directory or a missing command.
 */
export async function startRole(
  target: Target,
  entry: RoleToStart,
  run: RunDirectory,
): Promise<StartedRole> {
  await refuseBusyPort(target, entry)
  const { role, variant, start: command } = entry
  const place = variant === undefined ? role : `${role}.variants.${variant}`
  const log = variant === undefined ? role : `${role}-${variant}`
  const task = { what: presentRole(entry), command, key: `roles.${place}.start`, log }
  const started = await spawnRecorded(
    { ...task, file: target.file, code: 'D-START-NOT-FOUND' },
    run,
  )
  return { role, ...(variant && { variant }), ...started }
}
