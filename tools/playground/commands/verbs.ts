import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parseDuration, presentDuration } from '../../../conformance/input/duration.ts'
import { ScriptError } from '../../../simulator/machine/script.ts'
import { runtimePolicyOf } from '../../../simulator/platform/boot-facts.ts'
import { digest } from '../../../simulator/tpm/hash.ts'
import { text, toHex } from '../../../simulator/tpm/write.ts'
import { AGENT_KINDS } from '../agent-kinds.ts'
import { type Playground, STATIC_PCR } from '../playground.ts'
import type { PlaygroundMachine } from '../playground-machine.ts'
import type { Shown } from '../view/present-statuses.ts'
import { CommandRefused } from './command-refused.ts'

/** What commands are carried out with. */
export interface CommandContext {
  readonly playground: Playground
  /** Aborted when the person has enough. */
  readonly stopped: AbortSignal
  /** Looks at all machines, and has the person see them. */
  readonly look: () => Promise<readonly Shown[]>
  /** The table, in lines. */
  readonly table: (shown: readonly Shown[]) => string
  /** What an administrator can type elsewhere, a line each. */
  readonly tenantCommands: () => readonly string[]
}

/** A word that can be typed. */
export interface Verb {
  /** Arguments as they are shown: a word each, in brackets when it may be left out, with dots when there may be more. */
  readonly takes: readonly string[]
  readonly says: string
  /** Returns what is to be told. */
  run(context: CommandContext, args: readonly string[]): Promise<string>
}

const WAIT_MS = 60_000
const LOOK_EVERY_MS = 200
const LOG_LINES = 8

/** A verb about one machine: what it does is remembered beside the machine. */
function onMachine(
  takes: readonly string[],
  says: string,
  act: (
    machine: PlaygroundMachine,
    args: readonly string[],
    context: CommandContext,
  ) => Promise<string>,
): Verb {
  return {
    takes: ['MACHINE', ...takes],
    says,
    async run(context, [name = '', ...args]) {
      const machine = context.playground.find(name)
      const done = await act(machine, args, context).catch(asRefusal)
      context.playground.note(machine, done)
      return `${name}: ${done}`
    },
  }
}

/** What the machine's script does not know is the person's mistake. */
function asRefusal(error: unknown): never {
  if (error instanceof ScriptError || error instanceof RangeError)
    throw new CommandRefused(error.message.replace(/^script step \d+: /, ''))
  throw error
}

/** Every verb, in the order in which it is listed. */
export const VERBS: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  [
    'tamper',
    onMachine(['[PATH]'], 'changes a file, and runs it', async (machine, [path]) => {
      const file = path ?? someFileOf(machine)
      const content = toHex(digest('sha256', text(`${file}, changed`)))
      await machine.play([['measure', file, content]])
      return `changed ${file}`
    }),
  ],
  [
    'extend',
    onMachine(['[PCR]'], `extends a PCR, ${STATIC_PCR} unless told`, async (machine, [pcr]) => {
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
    onMachine([], 'mends its network', async (machine) => {
      machine.mend()
      return 'mended its network'
    }),
  ],
  [
    'reboot',
    onMachine([], 'reboots it: TPM and list begin anew, and so does the agent', async (machine) => {
      await machine.reboot()
      return 'rebooted'
    }),
  ],
  [
    'stop',
    onMachine([], 'ends its agent', async (machine) => {
      await machine.stopAgent()
      return 'stopped its agent'
    }),
  ],
  [
    'start',
    onMachine([], 'starts its agent again', async (machine) => {
      await machine.stopAgent()
      await machine.startAgent()
      return 'started its agent'
    }),
  ],
  [
    'let',
    onMachine(
      ['STEP', '…'],
      'any step of a machine script',
      async (machine, [verb = '', ...args]) => {
        await machine.play([[verb, ...args]])
        return [verb, ...args].join(' ')
      },
    ),
  ],
  [
    'reactivate',
    onMachine(
      [],
      'an administrator has the verifier attest it again',
      async (machine, _, context) => {
        await context.playground.servers.reactivate(machine.agentId)
        return 'reactivated'
      },
    ),
  ],
  [
    'add',
    {
      takes: ['pull|push'],
      says: 'one more machine with an agent',
      async run({ playground }, [word]) {
        const kind = AGENT_KINDS.find((one) => one === word)
        if (kind === undefined)
          throw new CommandRefused(`an agent is of ${AGENT_KINDS.join(' or ')}, not of ${word}`)
        const { name, agentId } = await playground.add(kind)
        return `${name}: a ${kind} agent, ${agentId}`
      },
    },
  ],
  [
    'wait',
    {
      takes: ['pass|fail', 'MACHINE', '[WITHIN]'],
      says: 'until it passes once more, or fails; 60s unless told',
      run: waitFor,
    },
  ],
  [
    'table',
    { takes: [], says: 'shows the table', run: async ({ look, table }) => table(await look()) },
  ],
  [
    'tenant',
    {
      takes: [],
      says: 'what an administrator can type in another terminal',
      run: async ({ tenantCommands }) => tenantCommands().join('\n'),
    },
  ],
  ['log', { takes: ['MACHINE'], says: 'the last lines of its agent', run: readLog }],
])

/** A file that the policy of the machine knows. */
function someFileOf({ machine }: PlaygroundMachine): string {
  const paths = Object.keys(runtimePolicyOf(machine.ima.entries).digests)
  return paths.find((path) => path.startsWith('/usr/bin/')) ?? paths.at(-1) ?? '/usr/bin/true'
}

async function readLog(
  { playground }: CommandContext,
  [name = '']: readonly string[],
): Promise<string> {
  const { agent } = playground.find(name)
  if (agent === undefined) throw new CommandRefused(`the agent of ${name} does not run`)
  const lines = [agent.logs.out, agent.logs.err].flatMap((file) =>
    readFileSync(file, 'utf8').split('\n'),
  )
  return lines
    .filter((line) => line !== '')
    .slice(-LOG_LINES)
    .join('\n')
}

const OUTCOMES: ReadonlyMap<string, (now: Shown, before: Shown) => boolean> = new Map([
  // A pass of earlier proves nothing of now.
  ['pass', (now: Shown, before: Shown) => now.verdict === 'PASS' && now.passes !== before.passes],
  ['fail', (now: Shown) => now.verdict === 'FAIL'],
])

async function waitFor(
  { playground, stopped, ...context }: CommandContext,
  [word = '', name = '', within]: readonly string[],
): Promise<string> {
  const holds = OUTCOMES.get(word)
  if (holds === undefined) throw new CommandRefused(`wait takes pass or fail, not ${word}`)
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
    await pause(LOOK_EVERY_MS, undefined, { signal: stopped })
  }
  const last = (await look())?.verdict
  throw new CommandRefused(
    `${name} did not ${word} within ${presentDuration(withinMs)}; its verdict is ${last}`,
  )
}

function durationOf(word: string): number {
  try {
    return parseDuration(word)
  } catch {
    throw new CommandRefused(`${JSON.stringify(word)} is no duration: write it as 20s or 500ms`)
  }
}
