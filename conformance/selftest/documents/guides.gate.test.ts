import { expect, onTestFinished, test } from 'vitest'
import { commandsOf, type ShownCommand } from './shown-commands.ts'
import { openUserDirectory, type UserDirectory } from './user-directory.ts'

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

/** What the comment of a command says that it prints. */
function announcedBy({ comment }: ShownCommand): readonly string[] {
  const isOutput = /^(?:[a-z_]+, (?:PASS|FAIL)|the launch code|ours, of the file \S+)$/
  return isOutput.test(comment) ? comment.split(', ') : []
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

/**
 * Runs the commands as they are shown, and compares what their comments announce. Servers start together, as they do when
 * a block is pasted.
 */
async function follow(commands: readonly ShownCommand[]): Promise<void> {
  const user = openUserDirectory()
  onTestFinished(() => user.close())
  await user.isolate()
  let starting: Promise<void>[] = []
  for (const shown of commands) {
    const server = READY.find(([beginning]) => shown.command.startsWith(beginning))
    if (server !== undefined && !shown.command.endsWith('--help')) {
      starting.push(user.start(shown.command.replace(/ &$/, ''), server[1]))
      continue
    }
    await Promise.all(starting)
    starting = []
    await expectOutput(user, shown.command, announcedBy(shown))
  }
}

/** Commands of a document from the first one that begins with a text. */
function commandsFrom(file: string, beginning: string): readonly ShownCommand[] {
  const shown = commandsOf(file)
  return shown.slice(shown.findIndex(({ command }) => command.startsWith(beginning)))
}

test.each([
  ['docs/tenant.md', 'mkdir'],
  ['docs/pull-agent.md', 'mkdir'],
  ['docs/push-agent-guide.md', 'mkdir'],
  ['docs/targets.md', 'node bin/assay.js verifier'],
])('the commands of %s work as pasted, from the first to the last', (file, beginning) =>
  follow(commandsFrom(file, beginning)),
)
