import { expect, test } from 'vitest'
import { type FakeTerminal, fakeTerminal, fakeTicker } from '../testing/fake-terminal.ts'
import { openLiveLines } from './live-lines.ts'

/** Live lines on that terminal, which show what `situation` says at the next tick. */
const open = (terminal: FakeTerminal, environment: Readonly<Record<string, string>> = {}) => {
  const { ticker, tick, running } = fakeTicker()
  const situation: { lines: readonly string[] } = { lines: [] }
  const live = openLiveLines(
    { stream: terminal, environment, ticker },
    { line: () => situation.lines.join(', '), lines: () => situation.lines },
  )
  const show = (...lines: readonly string[]): void => {
    situation.lines = lines
    tick()
  }
  return { live, show, running, terminal }
}

test('lines change in place on a terminal', () => {
  const { show, terminal } = open(fakeTerminal())
  show('push 1', 'pull 1')
  show('push 2', 'pull 1')
  expect(terminal.screen()).toEqual(['push 2', 'pull 1', ''])
})

test('a line that stays is written at once, above the changing ones', () => {
  const { live, show, terminal } = open(fakeTerminal())
  show('push 1')
  live.print('FAIL a', 'FAIL b')
  expect(terminal.screen()).toEqual(['FAIL a', 'FAIL b', 'push 1', ''])
})

test('nothing is written while nothing changes', () => {
  const { show, terminal } = open(fakeTerminal())
  show('push 1')
  const before = terminal.written()
  show('push 1')
  expect(terminal.written()).toBe(before)
})

test('a line is cut to the width of the terminal, with its colour left out', () => {
  const { show, terminal } = open(fakeTerminal({ columns: 10 }))
  show('\x1b[31mtwelve chars\x1b[39m')
  expect(terminal.screen()).toEqual(['twelve c…', ''])
  expect(terminal.written()).toBe('twelve c…\n')
})

test('lines above the top of the terminal could not change, and are left out', () => {
  const { show, terminal } = open(fakeTerminal({ rows: 3 }))
  show('a', 'b', 'c')
  show('a', 'b', 'd')
  expect(terminal.screen()).toEqual(['a', 'b', ''])
})

test('lines are removed also where a narrower terminal has folded them', () => {
  const { show, terminal } = open(fakeTerminal({ columns: 40 }))
  show('x'.repeat(35))
  terminal.columns = 20
  expect(terminal.screen()).toHaveLength(3)
  show('y'.repeat(15))
  expect(terminal.screen()).toEqual(['y'.repeat(15), ''])
})

test('closing removes the changing lines and ends the ticks', () => {
  const { live, show, running, terminal } = open(fakeTerminal())
  live.print('stays')
  show('push 1')
  expect(running()).toEqual([200])
  live.close()
  live.close()
  expect(terminal.screen()).toEqual(['stays', ''])
  expect(running()).toEqual([])
})

test('left lines stay, and later ones are written below them', () => {
  const { live, show, running, terminal } = open(fakeTerminal())
  show('push 1')
  live.leave()
  terminal.write('ended by SIGINT\n')
  live.print('FAIL a')
  live.close()
  expect(terminal.screen()).toEqual(['push 1', 'ended by SIGINT', 'FAIL a', ''])
  expect(running()).toEqual([])
})

test('the cursor is never hidden, so that a killed command leaves nothing to repair', () => {
  const { live, show, terminal } = open(fakeTerminal())
  show('push 1')
  live.print('FAIL a')
  live.close()
  expect(terminal.written()).not.toContain('\x1b[?')
})

test.each([
  ['a pipe', { isTTY: false }, {}],
  ['a dumb terminal', {}, { TERM: 'dumb' }],
  ['a terminal in CI', {}, { CI: 'true' }],
])('%s gets a line every five seconds', (_, stream, environment) => {
  const { live, show, running, terminal } = open({ ...fakeTerminal(), ...stream }, environment)
  expect(running()).toEqual([5000])
  show('push 1', 'pull 1')
  live.print('FAIL a')
  show('push 2', 'pull 1')
  live.close()
  expect(terminal.written()).toBe('push 1, pull 1\nFAIL a\npush 2, pull 1\n')
  expect(running()).toEqual([])
})

test('a terminal that does not tell its size has 80 columns', () => {
  const { show, terminal } = open(fakeTerminal({ columns: 0, rows: 0 }))
  show('x'.repeat(100))
  expect(terminal.written()).toBe(`${'x'.repeat(78)}…\n`)
})
