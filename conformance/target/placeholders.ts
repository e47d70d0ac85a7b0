import { SetupFault } from '../input/fault.ts'
import { nearest } from '../input/nearest.ts'
import { type Path, presentPath, type YamlSource } from '../input/yaml-source.ts'

/** Values of the placeholders of a target file. */
interface Placeholders {
  /** `${run}`: the private run directory. */
  readonly run: string
  /** `${target}`: the directory of the target file. */
  readonly target: string
  /** `${ek_ca}`: a PEM file with the TPM manufacturer's CA. */
  readonly ekCa: string
  /** `${env.NAME}`. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** `${port.NAME}`, by name. */
  readonly ports: ReadonlyMap<string, number>
}

/** The placeholders that stay at a path of the file, because their value is known only at the time of use. */
export type LateWords = (path: Path) => readonly string[]

const NONE: LateWords = () => []

const PLACEHOLDER = /\$\{([^}]*)\}?/g
const WORDS = ['run', 'target', 'ek_ca'] as const

/** Replaces every string in plain data by the result of `replace`. */
function mapStrings(
  data: unknown,
  replace: (text: string, path: Path) => string,
  path: Path = [],
): unknown {
  if (typeof data === 'string') return replace(data, path)
  if (Array.isArray(data))
    return data.map((item, index) => mapStrings(item, replace, [...path, index]))
  if (typeof data !== 'object' || data === null) return data
  const mapped: Record<string, unknown> = Object.create(null)
  for (const [key, value] of Object.entries(data))
    mapped[key] = mapStrings(value, replace, [...path, key])
  return mapped
}

/** The names used as `${port.NAME}`, each once, in the order of the file. */
export function portNames(data: unknown): readonly string[] {
  const names = new Set<string>()
  mapStrings(data, (text) => {
    for (const [, name = ''] of text.matchAll(/\$\{port\.([\w-]+)\}/g)) names.add(name)
    return text
  })
  return [...names]
}

function knownForms(late: readonly string[]): string {
  return [...WORDS, ...late, 'port.NAME', 'env.NAME'].map((word) => `\${${word}}`).join(', ')
}

function unknownWord(whole: string, word: string, late: readonly string[]): string {
  const near = nearest(word, [...WORDS, ...late])
  const hint = near === undefined ? `known are ${knownForms(late)}` : `did you mean \${${near}}?`
  return `holds the unknown placeholder ${whole}; ${hint}`
}

type Lookup = { readonly value: string } | { readonly problem: string }

function lookUpNamed(kind: string, name: string, known: Placeholders): Lookup | undefined {
  if (kind === 'port') {
    const port = known.ports.get(name)
    return port === undefined ? undefined : { value: String(port) }
  }
  if (kind !== 'env') return undefined
  const value = known.env[name]
  return value === undefined
    ? { problem: `needs the environment variable ${name}, which is not set` }
    : { value }
}

function lookUp(whole: string, word: string, known: Placeholders, late: readonly string[]): Lookup {
  if (!whole.endsWith('}')) return { problem: `has no closing brace after ${whole}` }
  if (late.includes(word)) return { value: whole }
  const [, kind = '', name = ''] = /^(\w+)\.(.+)$/.exec(word) ?? []
  const named = lookUpNamed(kind, name, known)
  if (named !== undefined) return named
  const plain = new Map([
    ['run', known.run],
    ['target', known.target],
    ['ek_ca', known.ekCa],
  ])
  const value = plain.get(word)
  return value === undefined ? { problem: unknownWord(whole, word, late) } : { value }
}

/**
 * The data of a target file with every `${…}` replaced except the late ones; throws a {@link SetupFault} for the
 * first one without a value.
 */
export function expandPlaceholders(
  source: YamlSource,
  known: Placeholders,
  late: LateWords = NONE,
): unknown {
  return mapStrings(source.data, (text, path) =>
    text.replace(PLACEHOLDER, (whole: string, word: string) => {
      const found = lookUp(whole, word, known, late(path))
      if ('value' in found) return found.value
      const place = source.placeOf(path, 'value', whole)
      throw new SetupFault(`${place}: ${presentPath(path)} ${found.problem}`, {
        code: 'D-TARGET-PLACEHOLDER',
      })
    }),
  )
}

/** An argument of a command with its late placeholders replaced; one without a value stays. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(PLACEHOLDER, (whole: string, word: string) => values[word] ?? whole)
}
