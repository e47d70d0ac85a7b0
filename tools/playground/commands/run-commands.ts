import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { SetupFault } from '../../../conformance/input/fault.ts'
import type { UpOptions } from '../up-options.ts'
import type { View } from '../view/line-view.ts'
import { CommandRefused } from './command-refused.ts'
import { QUIT_WORDS, runCommand, splitCommands, type Words } from './run-command.ts'
import type { CommandContext } from './verbs.ts'

/** Where commands come from. */
export interface CommandSource {
  readonly options: Pick<UpOptions, 'do'>
  /** Of a person at a terminal; undefined where there is none. */
  readonly prompt: Interface | undefined
  readonly stdin: NodeJS.ReadableStream
}

type Ending = 'left' | 'refused' | 'through'

/** Carries out what `--do` says, then what is typed. Returns the exit code once somebody has left. */
export async function runCommands(
  context: CommandContext,
  view: View,
  { options, prompt, stdin }: CommandSource,
): Promise<number> {
  const isInteractive = prompt !== undefined
  const ending = await runAll(context, view, splitCommands(options.do ?? ''), isInteractive)
  if (ending === 'left') return 0
  if (prompt !== undefined) return followPrompt(context, view, prompt)
  if (ending === 'refused') return 1
  if (options.do !== undefined) return 0
  return followLines(context, view, stdin)
}

/** Each in turn; what a person typed wrongly can be typed again, what a script says wrongly ends it. */
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
      asTrouble,
    )
    if (error === undefined) continue
    view.say(`assay up: ${error}`)
    if (!isInteractive) return 'refused'
  }
  return 'through'
}

function asTrouble(error: unknown): string {
  if (error instanceof SetupFault)
    return error.next === undefined ? error.sentence : `${error.sentence}; ${error.next}`
  if (error instanceof CommandRefused) return error.message
  return error instanceof Error ? `it did not work: ${error.message}` : String(error)
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

/** The lines of a pipe; one that ends without a word, as /dev/null does, has nobody wait for its end. */
async function followLines(
  context: CommandContext,
  view: View,
  stdin: NodeJS.ReadableStream,
): Promise<number> {
  let response = false
  for await (const line of createInterface({ input: stdin })) {
    response = true
    const ending = await runAll(context, view, splitCommands(line), false)
    if (ending !== 'through') return ending === 'left' ? 0 : 1
  }
  if (response) return 0
  await once(context.stopped, 'abort')
  return 0
}
