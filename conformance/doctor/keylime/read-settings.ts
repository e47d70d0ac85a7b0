import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOfSystem, SetupFault } from '../../input/fault.ts'

/** The components of an installation whose configuration says how to reach and administer it. */
export const COMPONENTS = ['verifier', 'registrar', 'tenant'] as const
export type Component = (typeof COMPONENTS)[number]

/** A value of a configuration file, and where it is written. */
export interface Setting {
  readonly value: string
  readonly file: string
  readonly line: number
}

/** The options of one component, in the section of its name. */
export interface Settings {
  readonly component: Component
  /** The files that were read; a later one replaces values of an earlier one. */
  readonly files: readonly string[]
  readonly options: ReadonlyMap<string, Setting>
}

/** Where configuration files are. */
export interface ConfigPlaces {
  /** First the one that has precedence. */
  readonly directories: readonly string[]
  /** The only file of a component, whatever the directories have. */
  readonly alone?: Readonly<Partial<Record<Component, string>>>
}

/** Where Keylime looks: in two directories, or in the file that an environment variable names for a component. */
export function usualPlaces(env: NodeJS.ProcessEnv): ConfigPlaces {
  const named = COMPONENTS.map((each) => [each, env[`KEYLIME_${each.toUpperCase()}_CONFIG`]])
  return {
    directories: ['/etc/keylime', '/usr/etc/keylime'],
    alone: Object.fromEntries(named.filter(([, file]) => file !== undefined)),
  }
}

const SECTION = /^\[([^\]]+)\]/
const OPTION = /^([^=:]+?)\s*[=:]\s*(.*)$/s

function refuse(file: string, line: number, why: string): never {
  throw new SetupFault(`${file}, line ${line}: ${why}`, {
    next: 'correct the file, or give the options of assay init by hand',
  })
}

interface Line {
  readonly text: string
  /** From 1. */
  readonly number: number
}

/** The lines without comments; one that goes on in indented lines is one. */
function linesOf(text: string): readonly Line[] {
  const lines: Line[] = []
  for (const [at, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim()
    if (line === '' || /^[#;]/.test(line)) continue
    const before = lines.at(-1)
    const goesOn = /^\s/.test(raw) && before !== undefined && !SECTION.test(before.text)
    if (goesOn) lines[lines.length - 1] = { ...before, text: `${before.text}\n${line}` }
    else lines.push({ text: line, number: at + 1 })
  }
  return lines
}

/**
 * The options of a section, in the syntax of Python's `configparser`: comments on lines of their own, `=` or `:`, values
 * that go on in indented lines. Throws a {@link SetupFault} for a line that is none of it, and for an option that is
 * written twice, because Keylime then reads nothing of that file.
 */
export function parseSection(text: string, file: string, wanted: string): Map<string, Setting> {
  const options = new Map<string, Setting>()
  let section: string | undefined
  for (const { text: line, number } of linesOf(text)) {
    const name = SECTION.exec(line)?.[1]
    if (name !== undefined) {
      section = name
      continue
    }
    const [, key, value = ''] = OPTION.exec(line) ?? []
    if (key === undefined) refuse(file, number, 'neither a section nor an option with a value')
    if (section === undefined) refuse(file, number, `the option ${key} is in no section`)
    if (section !== wanted) continue
    const option = key.toLowerCase()
    if (options.has(option)) refuse(file, number, `the option ${option} is written twice`)
    options.set(option, { value, file, line: number })
  }
  return options
}

/** What `read` returns of a file or directory. */
function readOrRefuse<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new SetupFault(`${path} cannot be read: ${reasonOfSystem(error)}`, {
      next: 'run assay init as a user that may read it, or give its options by hand',
    })
  }
}

function snippetsOf(directory: string): readonly string[] {
  if (!existsSync(directory)) return []
  const names = readOrRefuse(directory, () => readdirSync(directory))
  return names
    .filter((name) => name.endsWith('.conf'))
    .sort()
    .map((name) => join(directory, name))
}

/** The files of a component in the order in which they are read. */
function filesOf(
  component: Component,
  { directories, alone = {} }: ConfigPlaces,
): readonly string[] {
  const only = alone[component]
  if (only !== undefined) return [only]
  const bases = directories.map((directory) => join(directory, `${component}.conf`))
  const base = bases.find((file) => existsSync(file))
  const snippets = directories
    .toReversed()
    .flatMap((each) => snippetsOf(join(each, `${component}.conf.d`)))
  return base === undefined ? snippets : [base, ...snippets]
}

/** Reads the configuration of a component; undefined if there is none. Throws a {@link SetupFault} for a bad file. */
export function readSettings(component: Component, places: ConfigPlaces): Settings | undefined {
  const files = filesOf(component, places)
  if (files.length === 0) return undefined
  const options = new Map<string, Setting>()
  for (const file of files) {
    const text = readOrRefuse(file, () => readFileSync(file, 'utf8'))
    for (const [name, setting] of parseSection(text, file, component)) options.set(name, setting)
  }
  // Keylime strips these from every value.
  const stripped = [...options].map(
    ([name, setting]) =>
      [name, { ...setting, value: setting.value.replace(/^[" ]+|[" ]+$/g, '') }] as const,
  )
  return { component, files, options: new Map(stripped) }
}
