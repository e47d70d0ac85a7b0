import { setTimeout as pause } from 'node:timers/promises'
import { parseDuration, presentDuration } from '../../../conformance/input/duration.ts'
import { visible } from '../../../conformance/report/visible.ts'
import { readEnd } from '../../../conformance/target/processes/short-log.ts'
import { ScriptError } from '../../../simulator/machine/script.ts'
import { runtimePolicyOf } from '../../../simulator/platform/boot-facts.ts'
import { digest } from '../../../simulator/tpm/hash.ts'
import { text, toHex } from '../../../simulator/tpm/write.ts'
import { AGENT_KINDS } from '../agent-kinds.ts'
import { type Playground, STATIC_PCR } from '../playground.ts'
import type { PlaygroundMachine } from '../playground-machine.ts'
import type { Shown } from '../view/present-statuses.ts'
import { CommandRejected } from './command-rejected.ts'

/** Context of a command. */
export interface CommandContext {
  readonly playground: Playground
  /** Aborted when the playground ends. */
  readonly stopped: AbortSignal
  /** Reads and shows the status of all machines. */
  readonly look: () => Promise<readonly Shown[]>
  /** The table as text. */
  readonly table: (shown: readonly Shown[]) => string
  /** Tenant commands for another terminal, a line each. */
  readonly tenantCommands: () => readonly string[]
}

/** A command of the prompt. */
interface Verb {
  /** Arguments as shown in the help: in brackets if optional, `…` for any number. */
  readonly takes: readonly string[]
  readonly summary: string
  /** Returns the output. */
  run(context: CommandContext, args: readonly string[]): Promise<string>
}

const WAIT_MS = 60_000
const POLL_EVERY_MS = 200
const LOG_LINES = 8
const LOG_BYTES = 65_536

/** A command for one machine; the table shows the description of the last one. */
function onMachine(
  takes: readonly string[],
  summary: string,
  act: (
    machine: PlaygroundMachine,
    args: readonly string[],
    context: CommandContext,
  ) => Promise<string>,
): Verb {
  return {
    takes: ['MACHINE', ...takes],
    summary,
    async run(context, [name = '', ...args]) {
      const machine = context.playground.find(name)
      const done = await act(machine, args, context).catch(asRejection)
      context.playground.note(machine, done)
      return `${name}: ${done}`
    },
  }
}

/** Errors of the machine script are user errors. */
function asRejection(error: unknown): never {
  if (error instanceof ScriptError || error instanceof RangeError)
    throw new CommandRejected(error.message.replace(/^script step \d+: /, ''))
  throw error
}

/** All commands in the order of the help. */
export const VERBS: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  [
    'tamper',
    onMachine(['[PATH]'], 'changes a file and runs it', async (machine, [path]) => {
      const file = path ?? someFileOf(machine)
      const content = toHex(digest('sha256', text(`${file}, changed`)))
      await machine.play([['measure', file, content]])
      return `changed ${file}`
    }),
  ],
  [
    'extend',
    onMachine(['[PCR]'], `extends a PCR, by default ${STATIC_PCR}`, async (machine, [pcr]) => {
      const register = pcr ?? String(STATIC_PCR)
      await machine.play([['extend', register, '00']])
      return `extended PCR ${register}`
    }),
  ],
  [
    'cut',
    onMachine([], 'cuts its network', async (machine) => {
      machine.cut()
      return 'cut its network'
    }),
  ],
  [
    'mend',
    onMachine([], 'restores its network', async (machine) => {
      machine.mend()
      return 'restored its network'
    }),
  ],
  [
    'reboot',
    onMachine(
      [],
      'reboots it: resets TPM and measurement list, restarts the agent',
      async (machine) => {
        await machine.reboot()
        return 'rebooted'
      },
    ),
  ],
  [
    'stop',
    onMachine([], 'stops its agent', async (machine) => {
      await machine.stopAgent()
      return 'stopped its agent'
    }),
  ],
  [
    'start',
    onMachine([], 'restarts its agent', async (machine) => {
      await machine.stopAgent()
      await machine.startAgent()
      return 'started its agent'
    }),
  ],
  [
    'let',
    onMachine(
      ['STEP', '…'],
      'runs a step of a machine script',
      async (machine, [verb = '', ...args]) => {
        await machine.play([[verb, ...args]])
        return [verb, ...args].join(' ')
      },
    ),
  ],
  [
    'reactivate',
    onMachine([], 'reactivates its agent as an administrator', async (machine, _, context) => {
      await context.playground.servers.reactivate(machine.agentId)
      return 'reactivated'
    }),
  ],
  [
    'add',
    {
      takes: ['pull|push'],
      summary: 'adds a machine with an agent',
      async run({ playground }, [word]) {
        const kind = AGENT_KINDS.find((one) => one === word)
        if (kind === undefined)
          throw new CommandRejected(
            `unknown kind of agent "${word}"; use ${AGENT_KINDS.join(' or ')}`,
          )
        const { name, agentId } = await playground.add(kind)
        return `${name}: a ${kind} agent, ${agentId}`
      },
    },
  ],
  [
    'wait',
    {
      takes: ['pass|fail', 'MACHINE', '[WITHIN]'],
      summary: 'waits until its next attestation passes, or until it fails; by default 60s',
      run: waitFor,
    },
  ],
  [
    'table',
    { takes: [], summary: 'shows the table', run: async ({ look, table }) => table(await look()) },
  ],
  [
    'tenant',
    {
      takes: [],
      summary: 'shows tenant commands for another terminal',
      run: async ({ tenantCommands }) => tenantCommands().join('\n'),
    },
  ],
  ['log', { takes: ['MACHINE'], summary: 'shows the last log lines of its agent', run: readLog }],
])

/** A file in the machine's runtime policy. */
function someFileOf({ machine }: PlaygroundMachine): string {
  const paths = Object.keys(runtimePolicyOf(machine.ima.entries).digests)
  return paths.find((path) => path.startsWith('/usr/bin/')) ?? paths.at(-1) ?? '/usr/bin/true'
}

async function readLog(
  { playground }: CommandContext,
  [name = '']: readonly string[],
): Promise<string> {
  const { agent } = playground.find(name)
  if (agent === undefined) throw new CommandRejected(`the agent of ${name} is not running`)
  const lines = [agent.logs.out, agent.logs.err].flatMap((file) =>
    visible(readEnd(file, LOG_BYTES)).split('\n'),
  )
  return lines
    .filter((line) => line !== '')
    .slice(-LOG_LINES)
    .join('\n')
}

const OUTCOMES: ReadonlyMap<string, (now: Shown, before: Shown) => boolean> = new Map([
  // An earlier pass does not count.
  ['pass', (now: Shown, before: Shown) => now.verdict === 'PASS' && now.passes !== before.passes],
  ['fail', (now: Shown) => now.verdict === 'FAIL'],
])

async function waitFor(
  { playground, stopped, ...context }: CommandContext,
  [word = '', name = '', within]: readonly string[],
): Promise<string> {
  const holds = OUTCOMES.get(word)
  if (holds === undefined) throw new CommandRejected(`unknown outcome "${word}"; use pass or fail`)
  const withinMs = within === undefined ? WAIT_MS : durationOf(within)
  playground.find(name)
  const look = async () => (await context.look()).find((one) => one.name === name)
  const before = await look()
  const began = performance.now()
  for (let now = before; before && now; now = await look()) {
    const took = performance.now() - began
    if (holds(now, before))
      return `${name}: ${now.verdict} after ${presentDuration(took)} ${now.why}`
    if (took > withinMs) break
    await pause(POLL_EVERY_MS, undefined, { signal: stopped })
  }
  const last = (await look())?.verdict
  throw new CommandRejected(
    `${name} did not ${word} within ${presentDuration(withinMs)}; its verdict is ${last}`,
  )
}

function durationOf(word: string): number {
  try {
    return parseDuration(word)
  } catch {
    throw new CommandRejected(
      `invalid duration ${JSON.stringify(word)}; use a form such as 20s or 500ms`,
    )
  }
}
