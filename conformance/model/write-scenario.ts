import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { packageRoot } from '../package-root.ts'
import type { Counterexample } from './explore.ts'
import type { StoryRole } from './tellings.ts'

/** What a scenario imports, from which Assay leads it to the code that runs. */
const DSL = join(packageRoot(), 'conformance', 'dsl.ts')

export interface Found {
  readonly counterexample: Counterexample
  readonly role: StoryRole
  readonly seed: string
  /** The command that found it. */
  readonly command: string
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/** The name under which a counterexample is filed. */
function nameOf({ counterexample, role, seed }: Found): string {
  const { requirement = 'stopped' } = counterexample.broken
  return `${role}-${requirement}-${seed}`.toLowerCase().replaceAll('_', '-')
}

/** The text of a scenario in which a story happens again, for a file at `path`. */
export function scenarioText(found: Found, path: string): string {
  const { counterexample, role, command } = found
  const { broken, steps } = counterexample
  const dsl = relative(dirname(path), DSL)
  return `import { relived, scenario } from ${quote(dsl.startsWith('.') ? dsl : `./${dsl}`)}

/**
 * Found by \`${command}\`:
 * ${broken.sentence.replaceAll('*/', '* /')}
 */
export default scenario(
  relived(${quote(nameOf(found))}, ${quote(role)}, [
${steps.map((step) => `    ${quote(step)},`).join('\n')}
  ]),
)
`
}

/** Writes the scenario below \`<out>/explore\`; returns its path. */
export function writeScenario(found: Found, out: string): string {
  const directory = resolve(out, 'explore')
  mkdirSync(directory, { recursive: true })
  const path = join(directory, `${nameOf(found)}.ts`)
  writeFileSync(path, scenarioText(found, path))
  return path
}
