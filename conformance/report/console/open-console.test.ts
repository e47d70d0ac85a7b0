import { expect, test } from 'vitest'
import { fakeTerminal, fakeTicker } from '../testing/fake-terminal.ts'
import { openConsole } from './open-console.ts'

const opened = () => {
  const { ticker, tick } = fakeTicker()
  const stream = fakeTerminal()
  const clock = { ms: 0 }
  const console = openConsole({ stream, ticker, environment: {}, now: () => clock.ms })
  return { console, stream, tick, clock }
}

test('a command says what it does, with the time since it began', () => {
  const { console, stream, tick, clock } = opened()
  tick()
  expect(stream.written()).toBe('')
  clock.ms = 500
  console.does((ms) => `mutating, ${ms}`)
  clock.ms = 700
  tick()
  console.say('found')
  expect(stream.screen()).toEqual(['found', 'mutating, 200', ''])
  console.does(() => '')
  tick()
  expect(stream.screen()).toEqual(['found', ''])
})

test('escape sequences are spelled out in lines that stay and in those that change', () => {
  const { console, stream, tick } = opened()
  console.does(() => '\x1b[2Jmutating')
  tick()
  console.say('\x1b[2Jfound')
  expect(stream.screen()).toEqual([String.raw`\x1b[2Jfound`, String.raw`\x1b[2Jmutating`, ''])
})
