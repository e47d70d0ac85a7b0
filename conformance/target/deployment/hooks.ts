import { fillIn } from '../placeholders.ts'
import type { RunDirectory } from '../processes/run-directory.ts'
import { type Done, runTimed } from '../processes/run-timed.ts'
import type { HookName, ServiceRole, Target, TargetHooks, TimedCommand } from '../target.ts'

/** The result of running a hook. */
type HookResult =
  /** The target file has no such hook: scenarios that need it are not applicable. */
  { readonly kind: 'absent'; readonly sentence: string } | ({ readonly kind: 'done' } & Done)

/** Values for a hook: by how many whole seconds to move the clock. */
interface HookValues {
  readonly seconds?: number
}

/** Capabilities of the harness, not of the interface, with the hooks each of them uses. */
export const HOOKS_OF_CAPABILITIES: ReadonlyMap<string, readonly HookName[]> = new Map([
  ['restartable', ['restart']],
  ['movable_clock', ['advance_clock']],
])

/** The hook of a role, otherwise the general one; undefined if neither exists. */
export function hookOf(
  { general, roles }: TargetHooks,
  name: HookName,
  role?: ServiceRole,
): TimedCommand | undefined {
  return (role && roles[role]?.[name]) ?? general[name]
}

function keyOf(target: Target, name: HookName, role: ServiceRole | undefined): string {
  return role !== undefined && target.hooks.roles[role]?.[name] !== undefined
    ? `hooks.${role}.${name}`
    : `hooks.${name}`
}

function filled(hook: TimedCommand, values: Readonly<Record<string, string>>): TimedCommand {
  const env = Object.entries(hook.env).map(([key, text]) => [key, fillIn(text, values)])
  return {
    ...hook,
    command: hook.command.map((word) => fillIn(word, values)),
    env: Object.fromEntries(env),
  }
}

/**
 * Runs a hook of the target to its end: without a shell, recorded in the run directory, its output in `logs/`.
 * `${role}` becomes the role, or `all`; `${seconds}` the value in `values`. Throws `D-HOOK-FAILED` if it fails or
 * exceeds its time limit.
 */
export async function runHook(
  target: Target,
  run: RunDirectory,
  name: HookName,
  role?: ServiceRole,
  values: HookValues = {},
): Promise<HookResult> {
  const hook = hookOf(target.hooks, name, role)
  if (hook === undefined) {
    const ofRole = role === undefined ? '' : ` for the ${role}`
    return { kind: 'absent', sentence: `${target.file} has no hook ${name}${ofRole}` }
  }
  const { seconds } = values
  const words = {
    role: role ?? 'all',
    ...(seconds === undefined ? {} : { seconds: String(seconds) }),
  }
  const what = `hook ${name}${role === undefined ? '' : ` of ${role}`}`
  const log = ['hook', name, ...(role === undefined ? [] : [role])].join('-')
  const task = { what, key: keyOf(target, name, role), file: target.file, log }
  const command = filled(hook, words)
  return { kind: 'done', ...(await runTimed({ ...task, command, code: 'D-HOOK-FAILED' }, run)) }
}
