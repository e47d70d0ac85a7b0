import { connect, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePorts } from '../../target/processes/free-port.ts'
import { commandsOf, type ShownCommand } from './shown-commands.ts'
import { openUserDirectory, type UserDirectory } from './user-directory.ts'

const WITHIN = { timeout: 300_000 }

/** What a server of a guide prints when it is ready. */
const READY: readonly (readonly [beginning: string, text: string])[] = [
  ['swtpm ', ''],
  ['mkdir ', ''],
  ['node bin/assay.js verifier', 'verifier listens'],
  ['node bin/assay.js registrar', 'registrar listens'],
  ['node bin/assay.js agent', 'agent listens'],
  ['node bin/assay.js tenant web', 'tenant web listens'],
  ['node bin/assay.js push-agent --set', 'Unregistered -> Registered'],
]

/** The default ports, and those that this run uses in their place. */
interface Ports {
  readonly verifier: number
  readonly registrar: number
  readonly agent: number
  readonly web: number
  /** Of the first TPM and of the second: commands, then control. */
  readonly tpms: readonly number[]
}

/** tpm2-tools expect the control port of swtpm next to the port for commands. */
async function neighbouringPorts(): Promise<readonly [number, number]> {
  for (;;) {
    const [port = 0] = await freePorts(1)
    const server = createServer()
    const isFree = new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port + 1, '127.0.0.1', () => resolve(true))
    })
    const found = await isFree
    server.close()
    if (found) return [port, port + 1]
  }
}

async function openPorts(): Promise<Ports> {
  const [verifier = 0, registrar = 0, agent = 0, web = 0] = await freePorts(4)
  const tpms = [...(await neighbouringPorts()), ...(await neighbouringPorts())]
  return { verifier, registrar, agent, web, tpms }
}

/** Settings that name the ports, for commands that use the defaults. */
function portSettings(command: string, { verifier, registrar, agent, web }: Ports): string {
  const [, verb = ''] = /^node bin\/assay\.js ([\w-]+)/.exec(command) ?? []
  const settings: Readonly<Record<string, string>> = {
    verifier: `port=${verifier}`,
    registrar: `port=${registrar}`,
    agent: `port=${agent} --set registrar_port=${registrar}`,
    'push-agent': `verifier_url=https://127.0.0.1:${verifier} --set registrar_port=${registrar}`,
    tenant: `verifier_port=${verifier} --set registrar_port=${registrar} --set web_port=${web}`,
  }
  const added = settings[verb]
  return added === undefined || command.endsWith('--help') ? '' : ` --set ${added}`
}

/** The command of a guide, in a directory of the test and on free ports. */
function adapt(command: string, ports: Ports, { path }: UserDirectory): string {
  const line = command
    .replace(/ &$/, '')
    .replaceAll('/tmp/', `${path}/tmp/`)
    .replaceAll(/\b232[1-4]\b/g, (shown) => String(ports.tpms[Number(shown) - 2321]))
    .replaceAll('9002', String(ports.agent))
    .replaceAll('8443', String(ports.web))
  return line + portSettings(command, ports)
}

function isServer({ command }: ShownCommand): boolean {
  return READY.some(([beginning]) => command.startsWith(beginning)) && !command.endsWith('--help')
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** What the comment of a command says that it prints. */
function announcedBy({ comment }: ShownCommand): readonly string[] {
  return /^(?:[a-z_]+, (?:PASS|FAIL)|the launch code)$/.test(comment) ? comment.split(', ') : []
}

/** Runs a command that succeeds; one that shows a state runs again until the state is the announced one. */
async function expectOutput(
  user: UserDirectory,
  line: string,
  announced: readonly string[],
): Promise<void> {
  if (announced.length === 0) {
    const { code, output } = await user.run(line)
    expect(code, `${line}\n${output}`).toBe(0)
    return
  }
  const shows = (output: string) => announced.every((part) => output.includes(part))
  const look = async () => (await user.run(line)).output
  await expect.poll(look, { message: line, timeout: 60_000 }).toSatisfy(shows)
}

/** Follows the commands: starts the servers, runs the others, and compares what their comments announce. */
async function follow(
  user: UserDirectory,
  commands: readonly ShownCommand[],
  ports: Ports,
): Promise<void> {
  for (const shown of commands) {
    const line = adapt(shown.command, ports, user)
    if (isServer(shown)) {
      const [, ready = ''] = READY.find(([beginning]) => shown.command.startsWith(beginning)) ?? []
      await user.start(line, ready)
      const [, control] = /ctrl type=tcp,port=(\d+)/.exec(line) ?? []
      if (control !== undefined) await expect.poll(() => isOpen(Number(control))).toBe(true)
      continue
    }
    await expectOutput(user, line, announcedBy(shown))
  }
}

function openGuide(): UserDirectory {
  const user = openUserDirectory()
  onTestFinished(() => user.close())
  return user
}

test(
  'the guide of the tenant can be followed from its first command to its last',
  WITHIN,
  async () => {
    const shown = commandsOf('docs/tenant.md')
    const from = shown.findIndex(({ command }) => command.startsWith('mkdir'))
    const ports = await openPorts()
    const user = openGuide()
    await follow(user, shown.slice(from), ports)
    const [first] = shown
    expect((await user.run(first?.command ?? '')).output).toContain('Usage: assay tenant')
  },
)

test('the guides of the agents can be followed', WITHIN, async () => {
  const shown = ['docs/pull-agent.md', 'docs/push-agent-guide.md'].flatMap(commandsOf)
  await follow(openGuide(), shown, await openPorts())
})
