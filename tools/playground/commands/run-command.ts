import { CommandRefused } from './command-refused.ts'
import { type CommandContext, VERBS } from './verbs.ts'

/** A command with its arguments. */
export type Words = readonly [verb: string, ...args: readonly string[]]

/** What was typed, command by command: they end at a semicolon or at the end of a line; `#` begins a remark. */
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

/** Every verb with its arguments and what it does, a line each. */
export function presentHelp(): string {
  const rows = [...VERBS].map(
    ([verb, { takes, says }]) => [[verb, ...takes].join(' '), says] as const,
  )
  const all = [...rows, ['quit', 'ends everything; so does Ctrl-C'] as const]
  const width = Math.max(...all.map(([usage]) => usage.length))
  return all.map(([usage, says]) => `  ${usage.padEnd(width)}  ${says}`).join('\n')
}

/** Carries out one command, and gives what is to be told. Throws {@link CommandRefused} for what is no command. */
export async function runCommand(context: CommandContext, [word, ...args]: Words): Promise<string> {
  if (word === 'help') return presentHelp()
  const verb = VERBS.get(word)
  if (verb === undefined) {
    const known = [...VERBS.keys(), 'help', 'quit'].join(', ')
    throw new CommandRefused(`${JSON.stringify(word)} is no command; there are ${known}`)
  }
  const { takes } = verb
  const least = takes.filter((one) => !/^\[|^…$/.test(one)).length
  const most = takes.includes('…') ? Number.POSITIVE_INFINITY : takes.length
  if (args.length < least || args.length > most)
    throw new CommandRefused(`write ${[word, ...takes].join(' ')}`)
  return verb.run(context, args)
}
