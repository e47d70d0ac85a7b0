import { PassThrough } from 'node:stream'
import { setImmediate as soon } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openView } from './open-view.ts'
import type { Shown } from './present-statuses.ts'

const SHOWN: Shown = {
  ...{ name: 'm1', kind: 'pull', agentId: 'a86919a9-13b7-402d-a0c7-da8bcaa68947' },
  ...{ agent: 'runs', network: 'up', verdict: 'PASS', state: 'get_quote', passes: 3 },
  ...{ receivedAt: undefined, why: '', done: '' },
}
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ ...SHOWN, name: `m${at + 1}` }))

const PROMPT = 'assay up> '

/** A stub of a terminal with that size. */
function terminal(columns: number, rows: number) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined })
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns, rows })
  const leave = vi.fn()
  const { view, prompt } = openView({ stdin, stdout } as never, leave)
  onTestFinished(() => prompt?.close())
  const written = () => String(stdout.read() ?? '')
  return { stdin, stdout, view, prompt, leave, written }
}

test.each([
  ['Ctrl-C', '\x03'],
  ['Ctrl-D', '\x04'],
])('%s at the prompt ends the playground and closes the prompt', async (_, key) => {
  const { stdin, view, leave, written } = terminal(80, 24)
  view.say('starting')
  expect(written()).toContain(PROMPT)
  stdin.write('tab')
  await soon()
  expect(leave).not.toHaveBeenCalled()
  stdin.write(key === '\x04' ? `\x15${key}` : key)
  await vi.waitFor(() => expect(leave).toHaveBeenCalledOnce())
  written()
  view.say('ended')
  expect(written()).toMatch(/ended\n$/)
  expect(stdin.isPaused()).toBe(true)
})

/** Number of rows by which the cursor moves up before drawing. */
const climbed = (text: string) => Number(/\[(\d+)A/.exec(text)?.[1] ?? 0)

test('a terminal of unknown size shows the whole table', () => {
  const { view, written } = terminal(0, 0)
  view.show([SHOWN])
  expect(written()).toContain('done')
  view.show([SHOWN])
  expect(climbed(written())).toBe(5)
})

test('the view is redrawn correctly after the terminal becomes narrower', () => {
  const { stdout, view, written } = terminal(100, 24)
  view.say('x'.repeat(90))
  written()
  view.show([])
  expect(climbed(written())).toBe(1)
  stdout.columns = 30
  view.show([])
  expect(climbed(written())).toBe(3)
})

test('a table that is higher than the terminal is cut', () => {
  const { view, written } = terminal(100, 10)
  view.show(many(5))
  const whole = written()
  expect(whole).toContain('m5 pull')
  expect(whole).not.toContain('enlarge the terminal')
  view.show(many(6))
  const cut = written()
  expect(cut).toContain('… (enlarge the terminal to see more)\n')
  expect(cut.match(/\n/g)).toHaveLength(9)
  expect(cut).not.toContain('m6 pull')
})
