import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LocalEvaluator } from './local-evaluator.ts'
import type { Program, ProgramEvents } from './program.ts'

const BASELINE = 'baseline'
const DEADLINE_MS = 100

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** What a scripted program does at a line: answers with the line itself, ends, or does nothing from then on. */
type Script = (line: string, process: number) => 'answer' | 'end' | 'nothing' | { grow: number }

/** An evaluator whose processes do what a script says, and the lines that each process got. */
function scripted(script: Script, { atOnce = 3, isBusy = false, usedMs = (): number => 0 } = {}) {
  const processes: string[][] = []
  const start = ({ onLine, onEnd }: ProgramEvents): Program => {
    const lines: string[] = []
    let memory = 0
    let running = true
    processes.push(lines)
    const act = async (line: string) => {
      await setImmediate()
      const what = script(line, processes.length)
      if (!running) return
      if (typeof what === 'object') memory += what.grow
      running = what !== 'end' && what !== 'nothing'
      if (what === 'end') onEnd('ended with exit code 1: a fault')
      else if (running) onLine(line)
    }
    let last = Promise.resolve()
    return {
      write: (line) => {
        lines.push(line)
        last = last.then(() => act(line))
      },
      end: () => Promise.resolve(),
      usage: () => ({ peakMemory: memory, cpuMs: usedMs(), isRunning: isBusy }),
      async stop() {
        running = false
      },
    }
  }
  const settings = { command: [], baseline: BASELINE, atOnce, deadlineMs: DEADLINE_MS }
  return { evaluator: new LocalEvaluator(settings, start), processes }
}

const crash = { kind: 'crash', how: 'ended with exit code 1: a fault' }
const line = (text: string) => ({ kind: 'line', line: text })

test('lines are answered in order, at most so many at once, after the baseline', async () => {
  const { evaluator, processes } = scripted(() => 'answer')
  const all = ['a', 'b', 'c', 'd', 'e']
  expect(await Promise.all(all.map((one) => evaluator.ask(one)))).toEqual(all.map(line))
  expect(processes).toEqual([[BASELINE, ...all]])
})

test('of several inputs the one that ends the process is blamed, and the others are answered', async () => {
  const { evaluator, processes } = scripted((one) => (one === 'b' ? 'end' : 'answer'))
  const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((one) => evaluator.ask(one)))
  expect(outcomes).toEqual([line('a'), crash, line('c'), line('d')])
  expect(processes).toEqual([
    [BASELINE, 'a', 'b', 'c', 'd'],
    [BASELINE, 'b'],
    [BASELINE, 'c', 'd'],
  ])
})

test('an end that no single input repeats is reported with the last of them', async () => {
  const { evaluator } = scripted((one, process) =>
    one === 'b' && process === 1 ? 'end' : 'answer',
  )
  const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((one) => evaluator.ask(one)))
  expect(outcomes).toEqual([line('a'), line('b'), line('c'), crash])
})

test('an input without an answer in its time is asked again alone before it is blamed', async () => {
  const { evaluator, processes } = scripted((one) => (one === 'b' ? 'nothing' : 'answer'))
  const asked = Promise.all(['a', 'b', 'c'].map((one) => evaluator.ask(one)))
  for (let misses = 0; misses < 2; misses += 1) {
    await settle()
    await vi.advanceTimersByTimeAsync(DEADLINE_MS + 1)
  }
  expect(await asked).toEqual([line('a'), { kind: 'hang', ms: DEADLINE_MS }, line('c')])
  expect(processes.map((lines) => lines.length)).toEqual([4, 2, 2])
})

test('one that answers late once is not blamed', async () => {
  const { evaluator, processes } = scripted((one, process) =>
    one === 'a' && process === 1 ? 'nothing' : 'answer',
  )
  const asked = evaluator.ask('a')
  await settle()
  await vi.advanceTimersByTimeAsync(DEADLINE_MS + 1)
  expect(await asked).toEqual(line('a'))
  expect(processes).toEqual([
    [BASELINE, 'a'],
    [BASELINE, 'a'],
  ])
})

test('a process that works is given its time of the processor, however long that takes', async () => {
  let usedMs = 0
  const { evaluator, processes } = scripted((one) => (one === 'a' ? 'nothing' : 'answer'), {
    isBusy: true,
    usedMs: () => usedMs,
  })
  const asked = evaluator.ask('a')
  await settle()
  await vi.advanceTimersByTimeAsync(10 * DEADLINE_MS)
  await settle()
  expect(processes).toHaveLength(1)
  usedMs = DEADLINE_MS
  await vi.advanceTimersByTimeAsync(DEADLINE_MS)
  await settle()
  expect(processes).toHaveLength(2)
  await evaluator.close()
  await expect(asked).rejects.toThrow('closed')
})

test('memory is measured of large inputs, and one is blamed that needs it in a process of its own', async () => {
  const large = 'x'.repeat(40_000)
  const { evaluator } = scripted((one) => ({ grow: one === large ? 320 << 20 : 0 }))
  const small = scripted(() => ({ grow: 320 << 20 }))
  const fair = scripted((one) => ({ grow: one === large ? 256 << 20 : 0 }))
  const asked = ['a', large].map((one) => evaluator.ask(one))
  expect(await Promise.all(asked)).toEqual([line('a'), { kind: 'memory', bytes: 320 << 20 }])
  expect(await small.evaluator.ask('a')).toEqual(line('a'))
  expect(await fair.evaluator.ask(large)).toEqual(line(large))
})

test('a program that ends before it has answered anything is a fault that quotes it', async () => {
  const { evaluator, processes } = scripted(() => 'end')
  await expect(evaluator.ask('a')).rejects.toThrow('it ended with exit code 1: a fault')
  await expect(evaluator.ask('b')).rejects.toThrow('it ended with exit code 1: a fault')
  expect(processes).toHaveLength(1)
})

/** Lets the scripted program take its steps. */
async function settle(): Promise<void> {
  for (let step = 0; step < 20; step += 1) await setImmediate()
}
