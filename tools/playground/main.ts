import picocolors from 'picocolors'
import { wantsColour } from '../../conformance/report/progress.ts'
import type { AgentKind } from './agent-kinds.ts'
import { inParallel } from './commands/in-parallel.ts'
import { runCommands } from './commands/run-commands.ts'
import { tenantCommands } from './commands/tenant-script.ts'
import type { CommandContext } from './commands/verbs.ts'
import { inPlayground, type Surroundings } from './in-playground.ts'
import type { PlaygroundPlace } from './place.ts'
import type { Playground } from './playground.ts'
import type { PlaygroundMachine } from './playground-machine.ts'
import { setUpPlayground } from './set-up-playground.ts'
import { parseUpOptions, type UpOptions } from './up-options.ts'
import type { View } from './view/line-view.ts'
import { sizeOf } from './view/live-view.ts'
import { openView, type Streams } from './view/open-view.ts'
import { presentStatuses } from './view/present-statuses.ts'
import { watch } from './view/watch.ts'

/** Machines that are started at the same time. */
const PARALLEL_STARTS = 3

/**
 * `assay up`: a playground; `argv[0]` is the verb. Returns 0 after Ctrl-C, `quit` or the end of the commands, and 1 if a
 * command failed without a terminal to correct it. Removes everything except the directory of `--keep`.
 */
export async function main(
  [, ...argv]: readonly string[],
  streams: Streams = process,
): Promise<number> {
  const options = parseUpOptions(argv)
  if (options === undefined) return 0
  const say = (line: string): void => void streams.stdout.write(`${line}\n`)
  const code = await inPlayground(options, say, (around) => play(options, { ...around, streams }))
  return code ?? 0
}

interface Played extends Surroundings {
  readonly streams: Streams
}

async function play(options: UpOptions, around: Played): Promise<number> {
  const { place, streams, stopping, opened } = around
  const stopped = stopping.signal
  const { view, prompt } = openView(streams, () => stopping.abort())
  try {
    view.say(greeting(options, place))
    const made = await setUpPlayground(options, place, { stopped, say: view.say })
    opened.playground = made.playground
    const { playground } = made
    const commands = () => tenantCommands(made.tenant, playground.machines)
    const context: CommandContext = {
      ...{ playground, stopped, tenantCommands: commands },
      look: async () => {
        const shown = await playground.look()
        view.show(shown)
        return shown
      },
      table: (shown) => presentStatuses(shown, lookOf(streams.stdout)).join('\n'),
    }
    const ending = new AbortController()
    const watching = watch(playground, view, AbortSignal.any([stopped, ending.signal]))
    try {
      await startMachines(options, { playground, place, view })
      view.say(welcome(commands(), made.tenant?.command, options.keep))
      return await runCommands(context, view, { options, prompt, stdin: streams.stdin })
    } finally {
      ending.abort()
      await watching
      await playground.close()
    }
  } finally {
    view.close()
  }
}

/** Resumes the kept machines, or starts the requested ones, and prints a line for each. */
async function startMachines(
  options: UpOptions,
  { playground, place, view }: { playground: Playground; place: PlaygroundPlace; view: View },
): Promise<void> {
  const { machines } = place.journal.before
  const announce = ({ name, kind, agentId }: PlaygroundMachine, remarks: readonly string[] = []) =>
    view.say([`  ${name}: a ${kind} agent, ${agentId}`, ...remarks].join('; '))
  await inParallel(machines, PARALLEL_STARTS, async (kept) => {
    const { machine, remarks } = await playground.resume(kept)
    announce(machine, remarks)
  })
  const kinds = machines.length === 0 ? kindsOf(options, playground) : []
  await inParallel(kinds, PARALLEL_STARTS, async (kind) => announce(await playground.add(kind)))
}

function greeting({ keep }: UpOptions, { journal }: PlaygroundPlace): string {
  const names = journal.before.machines.map(({ name, kind }) => `${name} ${kind}`)
  const starting = 'starting registrar and verifier'
  if (names.length === 0) return starting
  return `continuing the playground in ${keep}: ${names.join(', ')}; every machine resumes from sleep (TPM restart count + 1) unless reported otherwise\n${starting}`
}

function lookOf(out: Streams['stdout']) {
  const colours = picocolors.createColors(wantsColour(out, process.env))
  return { now: Date.now(), width: sizeOf(out).columns, colours }
}

/** The requested machines; by default one machine of each kind that the target file can start. */
function kindsOf(options: UpOptions, { kinds }: Playground): readonly AgentKind[] {
  const usual = (kind: AgentKind) => (kinds.includes(kind) ? 1 : 0)
  const many = (kind: AgentKind) => Array<AgentKind>(options[kind] ?? usual(kind)).fill(kind)
  return [...many('pull'), ...many('push')]
}

function welcome(
  commands: readonly string[],
  command: string | undefined,
  kept: string | undefined,
): string {
  return [
    'administrator commands for another terminal:',
    ...commands.map((line) => `  ${line}`),
    ...(command === undefined ? [] : [`the script runs: ${command}`]),
    ...(kept === undefined
      ? []
      : [`the playground is kept in ${kept}: continue it with --keep ${kept}`]),
    'type help for the list of commands, Ctrl-C to end everything',
  ].join('\n')
}
