import { PassThrough } from 'node:stream'
import { setImmediate as soon } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openView } from './open-view.ts'
import type { Shown } from './present-statuses.ts'

const SHOWN: Shown = {
  ...{ name: 'm1', kind: 'pull', agentId: 'a86919a9-13b7-402d-a0c7-da8bcaa68947' },
  ...{ agent: 'runs', network: 'up', verdict: 'PASS', state: 'get_quote', passes: 3 },
  ...{ heardAt: undefined, why: '', done: '' },
}
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ ...SHOWN, name: `m${at + 1}` }))

const PROMPT = 'assay up> '

/** A terminal of that size, as far as a prompt asks for one. */
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
])('%s at a prompt leaves, whatever is under way, and it listens no more', async (_, key) => {
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

/** Rows that the cursor goes up before anything is drawn. */
const climbed = (text: string) => Number(/\[(\d+)A/.exec(text)?.[1] ?? 0)

test('a terminal that does not say how large it is gets the whole table', () => {
  const { view, written } = terminal(0, 0)
  view.show([SHOWN])
  expect(written()).toContain('done')
  view.show([SHOWN])
  expect(climbed(written())).toBe(5)
})

test('what was drawn is found again in a terminal that has become narrower', () => {
  const { stdout, view, written } = terminal(100, 24)
  view.say('x'.repeat(90))
  written()
  view.show([])
  expect(climbed(written())).toBe(1)
  stdout.columns = 30
  view.show([])
  expect(climbed(written())).toBe(3)
})

test('of a table that is higher than the terminal there is as much as has room', () => {
  const { view, written } = terminal(100, 10)
  view.show(many(5))
  const whole = written()
  expect(whole).toContain('m5 pull')
  expect(whole).not.toContain('… and more')
  view.show(many(6))
  const cut = written()
  expect(cut).toContain('… and more, in a higher terminal\n')
  expect(cut.match(/\n/g)).toHaveLength(9)
  expect(cut).not.toContain('m6 pull')
})
