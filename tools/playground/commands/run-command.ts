import { CommandRejected } from './command-rejected.ts'
import { type CommandContext, VERBS } from './verbs.ts'

/** A command with its arguments. */
export type Words = readonly [verb: string, ...args: readonly string[]]

/** Splits input into commands at semicolons and line ends; `#` begins a comment. */
export function splitCommands(typed: string): readonly Words[] {
  return typed
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, ''))
    .flatMap((line) => line.split(';'))
    .flatMap((command) => {
      const [verb, ...args] = command.split(/\s+/).filter((word) => word !== '')
      return verb === undefined ? [] : [[verb, ...args] satisfies Words]
    })
}

/** Words that end the playground. */
export const QUIT_WORDS: ReadonlySet<string> = new Set(['quit', 'exit'])

/** Help text: every command with its arguments and its effect, a line each. */
export function presentHelp(): string {
  const rows = [...VERBS].map(
    ([verb, { takes, summary }]) => [[verb, ...takes].join(' '), summary] as const,
  )
  const all = [...rows, ['quit', 'ends the playground, like Ctrl-C'] as const]
  const width = Math.max(...all.map(([usage]) => usage.length))
  return all.map(([usage, summary]) => `  ${usage.padEnd(width)}  ${summary}`).join('\n')
}

/** Runs one command and returns its output. Throws {@link CommandRejected} for an unknown command or wrong arguments. */
export async function runCommand(context: CommandContext, [word, ...args]: Words): Promise<string> {
  if (word === 'help') return presentHelp()
  const verb = VERBS.get(word)
  if (verb === undefined) {
    const known = [...VERBS.keys(), 'help', 'quit'].join(', ')
    throw new CommandRejected(`unknown command ${JSON.stringify(word)}; commands are: ${known}`)
  }
  const { takes } = verb
  const least = takes.filter((one) => !/^\[|^…$/.test(one)).length
  const most = takes.includes('…') ? Number.POSITIVE_INFINITY : takes.length
  if (args.length < least || args.length > most)
    throw new CommandRejected(`usage: ${[word, ...takes].join(' ')}`)
  return verb.run(context, args)
}
