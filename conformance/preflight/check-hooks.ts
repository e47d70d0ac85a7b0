import { accessSync, constants } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { SetupFault } from '../input/fault.ts'
import { hookOf } from '../target/deployment/hooks.ts'
import { HOOK_NAMES, type HookName, type Target, type TimedCommand } from '../target/target.ts'
import type { CheckStep, DoctorCheck, Examination, StepResult } from './examination.ts'

function hasHook({ hooks, roles }: Target, name: HookName): boolean {
  if (hooks.general[name] !== undefined) return true
  return roles.length > 0 && roles.every(({ role }) => hookOf(hooks, name, role) !== undefined)
}

function checkCapability(
  { target }: Examination,
  capability: string,
  names: readonly HookName[],
): StepResult {
  const missing = names.find((name) => !hasHook(target, name))
  if (missing === undefined) return { detail: `${capability} has ${names.join(', ')}` }
  const sentence = `${target.file} claims ${capability} without the hook ${missing}`
  const next = `add hooks.${missing} to ${target.file}, or remove ${capability} from its capabilities`
  throw new SetupFault(sentence, { code: 'D-HOOK-MISSING', next })
}

/** A stopped role needs a hook that starts it, or the next scenario would find it stopped. */
function checkStop({ target }: Examination): StepResult {
  if (hasHook(target, 'start')) return { detail: 'a hook starts stopped roles again' }
  const sentence = `${target.file} has a hook stop, and no hook start for the same role`
  const next = `add hooks.start to ${target.file}, or remove hooks.stop`
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

function checkPrograms({ target }: Examination): StepResult {
  const commands = commandsOf(target)
  const missing = commands.find(([, { command, cwd }]) => !isProgram(command[0] ?? '', cwd))
  if (missing === undefined) return { detail: `${commands.length} found` }
  const [key, { command }] = missing
  const sentence = `the program of ${key}, ${JSON.stringify(command[0])}, does not exist or cannot be run`
  throw new SetupFault(sentence, {
    code: 'D-HOOK-MISSING',
    next: `install it, or correct ${key}.command in ${target.file}`,
  })
}

/** The programs of the hooks exist and can be run, and every claimed capability has its hooks. */
export const checkHooks: DoctorCheck = {
  name: 'hooks',
  stage: 'files',
  codes: ['D-HOOK-MISSING'],
  steps: (at) => {
    const { target, neededHooks } = at
    const claimed = target.capabilities.flatMap((capability): readonly CheckStep[] => {
      const names = neededHooks.get(capability)
      if (names === undefined) return []
      return [
        { what: `hooks for ${capability}`, run: () => checkCapability(at, capability, names) },
      ]
    })
    const stop = hasHook(target, 'stop') ? [{ what: 'hook stop', run: () => checkStop(at) }] : []
    const programs = commandsOf(target).length > 0
    return [
      ...claimed,
      ...stop,
      ...(programs ? [{ what: 'programs of hooks', run: () => checkPrograms(at) }] : []),
    ]
  },
}
