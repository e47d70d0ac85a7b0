import { expect, test } from 'vitest'
import { CommandRejected } from './command-rejected.ts'
import { presentHelp, runCommand, splitCommands } from './run-command.ts'
import type { CommandContext } from './verbs.ts'

const CONTEXT: CommandContext = {
  playground: {
    ...{ machines: [], kinds: ['pull'] },
    find: (name: string) => {
      throw new CommandRejected(`no machine ${name}`)
    },
  } as unknown as CommandContext['playground'],
  stopped: new AbortController().signal,
  look: async () => [],
  table: () => 'the table',
  tenantCommands: () => ['one', 'two'],
}

test('commands end at semicolons and line ends, and comments are ignored', () => {
  expect(splitCommands(' tamper  m1 /a;wait fail m1 # soon; or later\n\n# all\ntable')).toEqual([
    ['tamper', 'm1', '/a'],
    ['wait', 'fail', 'm1'],
    ['table'],
  ])
})

test('help lists every command with its arguments', () => {
  expect(presentHelp()).toContain('  tamper MACHINE [PATH]  ')
  expect(presentHelp()).toContain('  wait pass|fail MACHINE [WITHIN]  ')
})

test('commands without arguments return their output', async () => {
  expect(await runCommand(CONTEXT, ['table'])).toBe('the table')
  expect(await runCommand(CONTEXT, ['tenant'])).toBe('one\ntwo')
})

test.each([
  [['tampr', 'm1'], 'unknown command "tampr"; commands are: tamper, extend'],
  [['tamper'], 'usage: tamper MACHINE [PATH]'],
  [['tamper', 'm1', '/a', '/b'], 'usage: tamper MACHINE [PATH]'],
  [['let', 'm1'], 'usage: let MACHINE STEP …'],
  [['cut', 'm7'], 'no machine m7'],
  [['add', 'pall'], 'unknown kind of agent "pall"; use pull or push'],
  [['wait', 'maybe', 'm1'], 'unknown outcome "maybe"; use pass or fail'],
  [['wait', 'pass', 'm1', '20'], 'invalid duration "20"'],
] as const)('%j is rejected with the correct usage', async (words, sentence) => {
  const rejection = expect(runCommand(CONTEXT, words as unknown as [string, ...string[]])).rejects
  await rejection.toThrow(sentence)
})
