import { expect, test } from 'vitest'
import { CommandRefused } from './command-refused.ts'
import { presentHelp, runCommand, splitCommands } from './run-command.ts'
import type { CommandContext } from './verbs.ts'

const STAGE: CommandContext = {
  playground: {
    ...{ machines: [], kinds: ['pull'] },
    find: (name: string) => {
      throw new CommandRefused(`no machine ${name}`)
    },
  } as unknown as CommandContext['playground'],
  stopped: new AbortController().signal,
  look: async () => [],
  table: () => 'the table',
  tenantCommands: () => ['one', 'two'],
}

test('commands end at semicolons and at ends of lines, and remarks are none', () => {
  expect(splitCommands(' tamper  m1 /a;wait fail m1 # soon; or later\n\n# all\ntable')).toEqual([
    ['tamper', 'm1', '/a'],
    ['wait', 'fail', 'm1'],
    ['table'],
  ])
})

test('help shows every verb with what it takes', () => {
  expect(presentHelp()).toContain('  tamper MACHINE [PATH]  ')
  expect(presentHelp()).toContain('  wait pass|fail MACHINE [WITHIN]  ')
})

test('a verb that takes nothing tells what there is', async () => {
  expect(await runCommand(STAGE, ['table'])).toBe('the table')
  expect(await runCommand(STAGE, ['tenant'])).toBe('one\ntwo')
})

test.each([
  [['tampr', 'm1'], 'no command; there are tamper, extend'],
  [['tamper'], 'write tamper MACHINE [PATH]'],
  [['tamper', 'm1', '/a', '/b'], 'write tamper MACHINE [PATH]'],
  [['let', 'm1'], 'write let MACHINE STEP …'],
  [['cut', 'm7'], 'no machine m7'],
  [['add', 'pall'], 'an agent is of pull or push, not of pall'],
  [['wait', 'maybe', 'm1'], 'wait takes pass or fail, not maybe'],
  [['wait', 'pass', 'm1', '20'], '"20" is no duration'],
] as const)('%j is refused with what can be written', async (words, said) => {
  const refusal = expect(runCommand(STAGE, words as unknown as [string, ...string[]])).rejects
  await refusal.toThrow(said)
})
