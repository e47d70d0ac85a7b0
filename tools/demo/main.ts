import { setTimeout as pause } from 'node:timers/promises'
import { Command } from 'commander'
import { ownCommand } from '../../conformance/input/own-command.ts'
import { parse } from '../../conformance/options/cli-options.ts'
import { defaultTarget } from '../../conformance/options/default-target.ts'
import type { OutputStream } from '../../conformance/report/console/live-lines.ts'
import { type Console, openConsole } from '../../conformance/report/console/open-console.ts'
import { wholeSeconds } from '../../conformance/report/console/present-times.ts'
import { runCommand } from '../playground/commands/run-command.ts'
import { inPlayground, type Surroundings } from '../playground/in-playground.ts'
import { setUpPlayground } from '../playground/set-up-playground.ts'
import { STORY } from './story.ts'

/** A reader takes in so many characters a second. */
const CHARACTERS_A_SECOND = 40
/** The widest line of a paragraph, if the terminal is not narrower. */
const WIDEST = 78

interface DemoOptions {
  readonly fast: boolean
}

function parseDemoOptions(argv: readonly string[]): DemoOptions | undefined {
  const command = new Command('assay demo')
    .description(
      'starts a registrar, a verifier and a virtual machine, attests it, tampers with it and recovers it, and explains each step; a minute and a half on a terminal',
    )
    .option('--fast', 'do not pause for reading, as without a terminal', false)
  return parse(command, argv)?.opts<DemoOptions>()
}

/** The words of a text in lines of a terminal. */
function folded(text: string, width: number): readonly string[] {
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines
}

interface Teller {
  readonly console: Console
  /** Prints a paragraph. */
  readonly explain: (text: string) => void
  /** Waits while a person reads so much. */
  readonly read: (text: string, stopped: AbortSignal) => Promise<unknown>
}

async function tell(
  { console: { say, does }, explain, read }: Teller,
  { place, stopping, opened }: Surroundings,
): Promise<number> {
  const stopped = stopping.signal
  const target = defaultTarget('playground')
  say('Two servers start')
  const intro = `The registrar knows which TPM each machine has. The verifier asks machines for evidence, and decides whether they still run what they should. Both are the reference implementation that comes with Assay, on this machine only.`
  explain(intro)
  does((ms) => `  starting, ${wholeSeconds(ms)}`)
  const { playground } = await setUpPlayground({ target }, place, { stopped, say })
  opened.playground = playground
  does(() => '')
  const around = { playground, stopped, tenantCommands: () => [], table: () => '' }
  const context = { ...around, look: playground.look }
  for (const [at, { title, text, run }] of STORY.entries()) {
    say(`\n${at + 1} of ${STORY.length}: ${title}`)
    explain(text)
    await read(text, stopped)
    does((ms) => `  waiting for the machine, ${wholeSeconds(ms)}`)
    const command = (...words: Parameters<typeof runCommand>[1]) => runCommand(context, words)
    const facts = await run({ playground, directory: place.run.path, command })
    does(() => '')
    for (const fact of facts) say(`  ${fact}`)
    await read(facts.join(''), stopped)
  }
  await playground.close()
  return 0
}

const next = (command: string): readonly string[] => [
  '',
  'The demonstration has ended its servers and its machine. Next:',
  `  ${command} up                    a playground with a prompt`,
  `  ${command} run                   judges the reference: two minutes`,
  `  ${command} init                  writes your own target file`,
  `  ${command} inspect quote --help  explains quotes, logs, policies`,
]

/** `assay demo`: attestation, explained as it happens; `argv[0]` is the verb. Returns 0, or 2 if a signal ended it. */
export async function main(
  [, ...argv]: readonly string[],
  stream: OutputStream = process.stdout,
): Promise<number> {
  const options = parseDemoOptions(argv)
  if (options === undefined) return 0
  const console = openConsole({ stream })
  const isRead = stream.isTTY === true && !options.fast
  const width = Math.min(WIDEST, (stream.columns || WIDEST + 1) - 1)
  const teller: Teller = {
    console,
    explain: (text) => folded(text, width).forEach(console.say),
    read: async (text, signal) =>
      isRead && pause((text.length * 1000) / CHARACTERS_A_SECOND, undefined, { signal }),
  }
  try {
    const target = defaultTarget('playground')
    const code = await inPlayground({ target }, console.say, (around) => tell(teller, around))
    console.close()
    if (code === 0) for (const line of next(ownCommand())) console.say(line)
    return code ?? 2
  } finally {
    console.close()
  }
}
