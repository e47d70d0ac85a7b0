import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../input/package-root.ts'

const run = promisify(execFile)

/** Verbs with their words below them, in the order of the page. */
const COMMANDS: readonly (readonly string[])[] = [
  ...[['run'], ['list'], ['coverage'], ['explain'], ['report', 'show'], ['report', 'diff']],
  ...[['doctor'], ['init'], ['inspect'], ['fuzz'], ['explore'], ['up'], ['look']],
  ...[['load', 'idle'], ['load', 'polls'], ['interop'], ['verify-evidence']],
  ...[['policy', 'runtime'], ['policy', 'boot'], ['pki', 'admin'], ['tenant']],
  ...[['verifier'], ['registrar'], ['agent'], ['push-agent']],
]

/** What a command prints on stdout. */
async function outputOf(words: readonly string[]): Promise<string> {
  const { stdout } = await run('node', [join(packageRoot(), 'bin', 'assay.js'), ...words])
  return stdout.trimEnd()
}

/** The settings of a component have a page of their own. */
function withoutSettings(help: string): string {
  const at = help.search(/^Settings/im)
  return at < 0 ? help : `${help.slice(0, at)}Settings: see settings.md`
}

/** docs/cli.md: what `--help` of each command prints. */
export async function cliPage(): Promise<string> {
  const sections: string[] = []
  for (const words of COMMANDS) {
    const help = withoutSettings(await outputOf([...words, '--help']))
    sections.push(`## assay ${words.join(' ')}\n\n\`\`\`text\n${help}\n\`\`\``)
  }
  const parts = [
    '# Commands',
    'The output of `--help` of each command; `npm run docs` prints this page.',
    `\`\`\`text\n${await outputOf(['--help'])}\n\`\`\``,
    ...sections,
  ]
  return `${parts.join('\n\n')}\n`
}

/** Verbs that `assay --help` lists and the page lacks. */
export async function verbsWithoutSection(): Promise<readonly string[]> {
  const listed = (await outputOf(['--help'])).matchAll(/^ {2}([a-z][a-z-]*) {2,}/gm)
  const known = new Set(COMMANDS.map(([verb]) => verb))
  return [...listed].flatMap(([, verb = '']) => (known.has(verb) ? [] : [verb]))
}
