import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Slots } from '../../attempt/slots.ts'
import { packageRoot } from '../../input/package-root.ts'

const run = promisify(execFile)

/** Verbs with their words below them, in the order of the page. */
const COMMANDS: readonly (readonly string[])[] = [
  ...[
    ['run'],
    ['list'],
    ['coverage'],
    ['explain'],
    ['report', 'show'],
    ['report', 'diff'],
    ['report', 'merge'],
  ],
  ...[['doctor'], ['init'], ['inspect'], ['fuzz'], ['explore'], ['demo'], ['up'], ['look']],
  ...[
    ['bundle'],
    ['replay'],
    ['watch'],
    ['certify'],
    ['vectors', 'run'],
    ['vectors', 'write'],
    ['vectors', 'compare'],
    ['certificate', 'verify'],
    ['certificate', 'compare'],
    ['openapi'],
    ['mock'],
  ],
  ...[['load', 'idle'], ['load', 'polls'], ['interop'], ['verify-evidence']],
  ...[['policy', 'runtime'], ['policy', 'boot'], ['pki', 'admin'], ['tenant'], ['tenant', 'web']],
  ...[['verifier'], ['registrar'], ['agent'], ['push-agent'], ['completion']],
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

/** The text of docs/cli.md: what `--help` of each command prints. */
export async function cliPage(): Promise<string> {
  // Two at a time: the first process of a verb also compiles its code.
  const slots = new Slots(2)
  const helps = await Promise.all(
    [[], ...COMMANDS].map((words) => slots.run(() => outputOf([...words, '--help']))),
  )
  const [verbs = '', ...sections] = helps.map(
    (help) => `\`\`\`text\n${withoutSettings(help)}\n\`\`\``,
  )
  const parts = [
    '# Commands',
    'The output of `--help` of each command; `npm run docs` prints this page.',
    verbs,
    ...sections.map((text, at) => `## assay ${COMMANDS[at]?.join(' ')}\n\n${text}`),
  ]
  return `${parts.join('\n\n')}\n`
}

/** Verbs that the page lists and has no section for. */
export function verbsWithoutSection(page: string): readonly string[] {
  const listed = page.slice(0, page.indexOf('\n## ')).matchAll(/^ {2}([a-z][a-z-]*) {2,}/gm)
  const known = new Set(COMMANDS.map(([verb]) => verb))
  return [...listed].flatMap(([, verb = '']) => (known.has(verb) ? [] : [verb]))
}
