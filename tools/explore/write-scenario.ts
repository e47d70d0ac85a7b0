import { writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { makeDirectory } from '../../conformance/input/make-directory.ts'
import { packageRoot } from '../../conformance/input/package-root.ts'
import type { ModelRole } from '../../conformance/model/models.ts'
import type { Counterexample } from './explore.ts'

/** The modules that a written scenario imports; `assay run --scenario` replaces them by the modules of the running build. */
const API = join(packageRoot(), 'conformance', 'scenario.ts')
const MODEL = join(packageRoot(), 'conformance', 'model', 'replayed.ts')

function specifier(from: string, module: string): string {
  const path = relative(dirname(from), module)
  return quote(path.startsWith('.') ? path : `./${path}`)
}

export interface Found {
  readonly counterexample: Counterexample
  readonly role: ModelRole
  readonly seed: string
  /** The command that found the counterexample. */
  readonly command: string
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/** Id and file name of the scenario of a counterexample. */
function nameOf({ counterexample, role, seed }: Found): string {
  const { requirement = 'stopped' } = counterexample.deviation
  return `${role}-${requirement}-${seed}`.toLowerCase().replaceAll('_', '-')
}

/** The source text of a scenario that repeats the sequence, for a file at `path`. */
export function scenarioText(found: Found, path: string): string {
  const { counterexample, role, command } = found
  const { deviation, steps } = counterexample
  return `import { replayed } from ${specifier(path, MODEL)}
import { scenario } from ${specifier(path, API)}

/**
 * Found by \`${command}\`:
 * ${deviation.sentence.replaceAll('*/', '* /')}
 */
export default scenario(
  replayed(${quote(nameOf(found))}, ${quote(role)}, [
${steps.map((step) => `    ${quote(step)},`).join('\n')}
  ]),
)
`
}

/** Writes the scenario below \`<out>/explore\`; returns its path. */
export function writeScenario(found: Found, out: string): string {
  const directory = resolve(out, 'explore')
  makeDirectory(directory)
  const path = join(directory, `${nameOf(found)}.ts`)
  writeFileSync(path, scenarioText(found, path))
  return path
}
