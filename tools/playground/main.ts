import picocolors from 'picocolors'
import { SetupFault } from '../../conformance/input/fault.ts'
import { withTarget } from '../../conformance/options/default-target.ts'
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
const LANES = 3
/** How long what was being started gets to notice that nobody wants it any more. */
const SETTLE_MS = 10_000
/** How long a playground that is kept gets to go to sleep in order. */
const SLEEP_MS = 20_000

/**
 * `assay up`: a playground; `argv[0]` is the verb. Returns 0 when the person, or the end of the commands, ended it, and 1 when a command could
 * not be carried out that nobody was there to correct. Nothing is left but what `--keep` names.
 */
export async function main(
  [, ...argv]: readonly string[],
  streams: Streams = process,
): Promise<number> {
  const options = parseUpOptions(withTarget(argv, 'playground'))
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

/** Ends every process, so that what waits for one ends too; then whatever was started in the meantime. */
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

/** Waits for the end of something, whatever it is, and no longer than so many milliseconds. */
async function within(ms: number, work: Promise<unknown> | undefined): Promise<void> {
  let late: NodeJS.Timeout | undefined
  const enough = new Promise((resolve) => {
    late = setTimeout(resolve, ms)
  })
  await Promise.race([work?.catch(() => undefined), enough])
  clearTimeout(late)
}

/** A fault names a log to read; without --keep it is not there any more. */
function withoutRunFiles(error: unknown, { run }: PlaygroundPlace, { keep }: UpOptions): unknown {
  const isGone = keep === undefined && error instanceof SetupFault && error.next?.includes(run.path)
  if (!isGone) return error
  return new SetupFault(error.sentence, {
    next: 'give --keep DIRECTORY, and its logs stay to be read',
    cause: error,
    ...(error.code && { code: error.code }),
  })
}

interface Opened {
  /** Undefined until the servers answer. */
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
    const made = await setUpPlayground(options, place, stopped)
    opened.playground = made.playground
    for (const step of made.steps) view.say(`  ${step}`)
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
    const watching = watch(playground, view, stopped)
    try {
      await startMachines(options, { playground, place, view })
      view.say(welcome(commands(), made.tenant?.command, options.keep))
      return await runCommands(context, view, { options, prompt, stdin: streams.stdin })
    } finally {
      stopping.abort()
      await watching
      await playground.close()
    }
  } finally {
    view.close()
  }
}

/** Has the machines of before go on, or starts those that are asked for; tells of each. */
async function startMachines(
  options: UpOptions,
  { playground, place, view }: { playground: Playground; place: PlaygroundPlace; view: View },
): Promise<void> {
  const { machines } = place.journal.before
  const send = ({ name, kind, agentId }: PlaygroundMachine, remarks: readonly string[] = []) =>
    view.say([`  ${name}: a ${kind} agent, ${agentId}`, ...remarks].join('; '))
  await inParallel(machines, LANES, async (kept) => {
    const { machine, remarks } = await playground.resume(kept)
    send(machine, remarks)
  })
  const kinds = machines.length === 0 ? kindsOf(options, playground) : []
  await inParallel(kinds, LANES, async (kind) => send(await playground.add(kind)))
}

function greeting({ keep }: UpOptions, { journal }: PlaygroundPlace): string {
  const names = journal.before.machines.map(({ name, kind }) => `${name} ${kind}`)
  const starting = 'starting registrar and verifier'
  if (names.length === 0) return starting
  return `going on with what ${keep} keeps: ${names.join(', ')}; a machine of which nothing else is said has slept, and its TPM counts one resume more\n${starting}`
}

function lookOf(out: Streams['stdout']) {
  const colours = picocolors.createColors(wantsColour(out, process.env))
  return { now: Date.now(), width: sizeOf(out).columns, colours }
}

/** One machine of each kind that can be started, unless told. */
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
    'in another terminal, as the administrator:',
    ...commands.map((line) => `  ${line}`),
    ...(command === undefined ? [] : [`which stands for: ${command}`]),
    ...(kept === undefined
      ? []
      : [`everything stays in ${kept}: give --keep ${kept} again to go on`]),
    'type help for what can be done to machines, Ctrl-C to end everything',
  ].join('\n')
}
