import picocolors from 'picocolors'
import { SetupFault } from '../../conformance/input/fault.ts'
import { wantsColour } from '../../conformance/report/progress.ts'
import { checkSwtpm } from '../../conformance/runner/check-tools.ts'
import type { AgentKind } from './agent-kinds.ts'
import { inParallel } from './commands/in-parallel.ts'
import { runCommands } from './commands/run-commands.ts'
import { tenantCommands } from './commands/tenant-script.ts'
import type { CommandContext } from './commands/verbs.ts'
import { openPlace, type PlaygroundPlace } from './place.ts'
import type { Playground } from './playground.ts'
import type { PlaygroundMachine } from './playground-machine.ts'
import { setUpPlayground } from './set-up-playground.ts'
import { parseUpOptions, type UpOptions } from './up-options.ts'
import type { View } from './view/line-view.ts'
import { sizeOf } from './view/live-view.ts'
import { openView, type Streams } from './view/open-view.ts'
import { presentStatuses } from './view/present-statuses.ts'
import { watch } from './view/watch.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Machines that are started at the same time. */
const PARALLEL_STARTS = 3
/** Time for a pending start to notice the abort. */
const SETTLE_MS = 10_000
/** Time for an orderly shutdown of a kept playground. */
const SLEEP_MS = 20_000

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
  checkSwtpm(process.env.PATH)
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  for (const signal of SIGNALS) process.on(signal, stop)
  const place = await openPlace(options, (line) => void streams.stdout.write(`${line}\n`))
  const opened: Opened = { playground: undefined }
  const work = play(options, { place, streams, stopping, opened })
  try {
    return await Promise.race([work, aborted(stopping.signal)])
  } catch (error) {
    throw withoutRunFiles(error, place, options)
  } finally {
    stop()
    await leave(work, place, opened)
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}

function aborted(signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(0)))
}

/** Ends every process, waits for pending starts, and removes the files. */
async function leave(
  work: Promise<unknown>,
  place: PlaygroundPlace,
  { playground }: Opened,
): Promise<void> {
  if (place.isKept) await within(SLEEP_MS, playground?.close())
  await place.end()
  await within(SETTLE_MS, work)
  place.remove()
}

/** Waits until a promise settles, at most `ms` milliseconds. */
async function within(ms: number, work: Promise<unknown> | undefined): Promise<void> {
  let late: NodeJS.Timeout | undefined
  const enough = new Promise((resolve) => {
    late = setTimeout(resolve, ms)
  })
  await Promise.race([work?.catch(() => undefined), enough])
  clearTimeout(late)
}

/** Replaces the next step of a fault that names a log file: without --keep that file has been removed. */
function withoutRunFiles(error: unknown, { run }: PlaygroundPlace, { keep }: UpOptions): unknown {
  const isGone = keep === undefined && error instanceof SetupFault && error.next?.includes(run.path)
  if (!isGone) return error
  return new SetupFault(error.sentence, {
    next: 'pass --keep DIRECTORY to keep its logs',
    cause: error,
    ...(error.code && { code: error.code }),
  })
}

interface Opened {
  /** Undefined until the servers are ready. */
  playground: Playground | undefined
}

interface Surroundings {
  readonly opened: Opened
  readonly place: PlaygroundPlace
  readonly streams: Streams
  readonly stopping: AbortController
}

async function play(options: UpOptions, around: Surroundings): Promise<number> {
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
