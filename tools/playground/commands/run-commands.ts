import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { SetupFault } from '../../../conformance/input/fault.ts'
import type { UpOptions } from '../up-options.ts'
import type { View } from '../view/line-view.ts'
import { CommandRejected } from './command-rejected.ts'
import { QUIT_WORDS, runCommand, splitCommands, type Words } from './run-command.ts'
import type { CommandContext } from './verbs.ts'

/** Sources of commands. */
interface CommandSource {
  readonly options: Pick<UpOptions, 'do'>
  /** The prompt of a terminal; undefined without a terminal. */
  readonly prompt: Interface | undefined
  readonly stdin: NodeJS.ReadableStream
}

type Ending = 'left' | 'rejected' | 'through'

/** Runs the commands of `--do`, then those of the prompt or of standard input. Returns the exit code. */
export async function runCommands(
  context: CommandContext,
  view: View,
  { options, prompt, stdin }: CommandSource,
): Promise<number> {
  const isInteractive = prompt !== undefined
  const ending = await runAll(context, view, splitCommands(options.do ?? ''), isInteractive)
  if (ending === 'left') return 0
  if (prompt !== undefined) return followPrompt(context, view, prompt)
  if (ending === 'rejected') return 1
  if (options.do !== undefined) return 0
  return followLines(context, view, stdin)
}

/** Runs commands in turn; a rejected command ends a script, but not an interactive session. */
async function runAll(
  context: CommandContext,
  view: View,
  commands: readonly Words[],
  isInteractive: boolean,
): Promise<Ending> {
  for (const words of commands) {
    if (QUIT_WORDS.has(words[0])) return 'left'
    view.say(`> ${words.join(' ')}`)
    const error = await runCommand(context, words).then(
      (output) => void view.say(output),
      messageOf,
    )
    if (error === undefined) continue
    view.say(`assay up: ${error}`)
    if (!isInteractive) return 'rejected'
  }
  return 'through'
}

function messageOf(error: unknown): string {
  if (error instanceof SetupFault)
    return error.next === undefined ? error.sentence : `${error.sentence}; ${error.next}`
  if (error instanceof CommandRejected) return error.message
  return error instanceof Error ? `command failed: ${error.message}` : String(error)
}

async function followPrompt(
  context: CommandContext,
  view: View,
  prompt: Interface,
): Promise<number> {
  prompt.prompt()
  const left = once(prompt, 'close').then(() => 'left' as const)
  let last: Promise<Ending> = Promise.resolve('through')
  const leaving = new Promise<'left'>((resolve) => {
    prompt.on('line', (line) => {
      last = last.then(async () => {
        const ending = await runAll(context, view, splitCommands(line), true)
        if (ending === 'left') resolve('left')
        return ending
      })
    })
  })
  await Promise.race([left, leaving])
  return 0
}

/** Runs the lines of a pipe. An empty pipe such as /dev/null does not end the playground; it waits for a signal. */
async function followLines(
  context: CommandContext,
  view: View,
  stdin: NodeJS.ReadableStream,
): Promise<number> {
  let hasLines = false
  for await (const line of createInterface({ input: stdin })) {
    hasLines = true
    const ending = await runAll(context, view, splitCommands(line), false)
    if (ending !== 'through') return ending === 'left' ? 0 : 1
  }
  if (hasLines) return 0
  await once(context.stopped, 'abort')
  return 0
}
