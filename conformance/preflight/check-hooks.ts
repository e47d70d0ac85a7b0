import { accessSync, constants } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { SetupFault } from '../input/fault.ts'
import { hookOf } from '../target/deployment/hooks.ts'
import { HOOK_NAMES, type HookName, type Target, type TimedCommand } from '../target/target.ts'
import type { DoctorCheck, Examination, Look, Seen } from './examination.ts'

function hasHook({ hooks, roles }: Target, name: HookName): boolean {
  if (hooks.general[name] !== undefined) return true
  return roles.length > 0 && roles.every(({ role }) => hookOf(hooks, name, role) !== undefined)
}

function lookAtCapability(
  { target }: Examination,
  capability: string,
  names: readonly HookName[],
): Seen {
  const missing = names.find((name) => !hasHook(target, name))
  if (missing === undefined) return { detail: `${capability} has ${names.join(', ')}` }
  const sentence = `${target.file} claims ${capability}, which is judged by the hook ${missing}, and has no such hook`
  const next = `add hooks.${missing} to ${target.file}, or take ${capability} out of its capabilities`
  throw new SetupFault(sentence, { code: 'D-HOOK-MISSING', next })
}

/** What is stopped by a hook must be started by one: nothing else would bring it back for the next scenario. */
function lookAtStop({ target }: Examination): Seen {
  if (hasHook(target, 'start')) return { detail: 'what is stopped can be started again' }
  const sentence = `${target.file} has a hook stop, and none that starts again what it stopped`
  const next = `add hooks.start to ${target.file}, or take hooks.stop out of it`
  throw new SetupFault(sentence, { code: 'D-HOOK-MISSING', next })
}

function isProgram(program: string, cwd: string): boolean {
  const directories = program.includes('/') ? [cwd] : (process.env.PATH ?? '').split(delimiter)
  return directories.some((directory) => {
    try {
      accessSync(
        program.includes('/') ? resolve(cwd, program) : join(directory, program),
        constants.X_OK,
      )
      return true
    } catch {
      return false
    }
  })
}

function commandsOf({ hooks }: Target): readonly (readonly [key: string, hook: TimedCommand])[] {
  const places = [
    ['hooks', hooks.general] as const,
    ...Object.entries(hooks.roles).map(([role, own]) => [`hooks.${role}`, own] as const),
  ]
  return places.flatMap(([place, own]) =>
    HOOK_NAMES.flatMap((name) => {
      const hook = own[name]
      return hook === undefined ? [] : [[`${place}.${name}`, hook] as const]
    }),
  )
}

function lookAtPrograms({ target }: Examination): Seen {
  const commands = commandsOf(target)
  const lost = commands.find(([, { command, cwd }]) => !isProgram(command[0] ?? '', cwd))
  if (lost === undefined) return { detail: `${commands.length} found` }
  const [key, { command }] = lost
  const sentence = `the program of ${key}, ${JSON.stringify(command[0])}, is not there or cannot be run`
  throw new SetupFault(sentence, {
    code: 'D-HOOK-MISSING',
    next: `install it, or correct ${key}.command in ${target.file}`,
  })
}

/** The hooks of a target are there, can be run, and are enough for what it claims. */
export const checkHooks: DoctorCheck = {
  name: 'hooks',
  stage: 'files',
  codes: ['D-HOOK-MISSING'],
  looks: (at) => {
    const { target, neededHooks } = at
    const claimed = target.capabilities.flatMap((capability): readonly Look[] => {
      const names = neededHooks.get(capability)
      if (names === undefined) return []
      return [
        { what: `hooks for ${capability}`, look: () => lookAtCapability(at, capability, names) },
      ]
    })
    const stop = hasHook(target, 'stop') ? [{ what: 'hook stop', look: () => lookAtStop(at) }] : []
    const programs = commandsOf(target).length > 0
    return [
      ...claimed,
      ...stop,
      ...(programs ? [{ what: 'programs of hooks', look: () => lookAtPrograms(at) }] : []),
    ]
  },
}
