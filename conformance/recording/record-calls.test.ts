import { expect, test } from 'vitest'
import { PrerequisiteFailed } from '../attempt/endings.ts'
import type { RecordedCalls } from './events.ts'
import { outside } from './outside.ts'
import { CallRecorder } from './record-calls.ts'
import { CallReplay, RecordingDiffers } from './replay-calls.ts'

class Machine {
  #quotes = 0
  level = 1
  readonly list: string[] = []

  quote(): Promise<Uint8Array> {
    this.#quotes += 1
    this.list.push(`quote ${this.#quotes}`)
    return Promise.resolve(Uint8Array.of(this.#quotes, this.level))
  }
}

function contextOf() {
  const machine = new Machine()
  const seen: unknown[] = []
  return {
    seen,
    check: (value: unknown) => void seen.push(value),
    count: 7n,
    machine,
    start: async () => ({ id: 'a', machine, quote: () => machine.quote() }),
    each: async (step: (round: number, machine: Machine) => Promise<boolean>) => {
      for (let round = 0; round < 5; round++) if (await step(round, machine)) return round
      return -1
    },
    fail: () => Promise.reject(new PrerequisiteFailed('it is refused')),
  }
}

type Context = ReturnType<typeof contextOf>

/** Records a scenario, then replays it from text; returns what it saw both times. */
async function twice(scenario: (context: Context) => Promise<void>) {
  const context = contextOf()
  const recorder = new CallRecorder()
  await recorder.run(context, scenario)
  const calls = JSON.parse(JSON.stringify(recorder.end())) as RecordedCalls
  return { recorded: context.seen, replayed: await replay(calls, scenario) }
}

async function replay(calls: RecordedCalls, scenario: (context: Context) => Promise<void>) {
  const seen: unknown[] = []
  const ended = new AbortController()
  const again = new CallReplay(calls)
  const running = again
    .run<Context, Promise<void>>({ check: (value) => void seen.push(value) }, scenario)
    .finally(() => ended.abort())
  await Promise.all([running, again.fulfil(ended.signal)])
  return seen
}

test('a replay gives the values, objects and errors of the recording', async () => {
  const { recorded, replayed } = await twice(async ({ check, count, start, fail }) => {
    check(count)
    const agent = await start()
    check([agent.id, 'quote' in agent.machine, await agent.quote(), await agent.machine.quote()])
    agent.machine.level = 3
    check(await agent.machine.quote())
    check([...agent.machine.list])
    check(await fail().catch((error) => error instanceof PrerequisiteFailed && error.message))
  })
  expect(recorded[0]).toBe(7n)
  expect(recorded[2]).toEqual(Uint8Array.of(3, 3))
  expect(replayed).toEqual(recorded)
})

test('functions of the scenario are called with what they were called with', async () => {
  const { recorded, replayed } = await twice(async ({ check, each }) => {
    const found = await each(async (round, machine) => {
      check([round, await machine.quote()])
      return round === 2
    })
    check(found)
  })
  expect(recorded).toHaveLength(4)
  expect(replayed).toEqual(recorded)
})

test('calls at the same time end in the recorded order', async () => {
  const { recorded, replayed } = await twice(async ({ check, machine }) => {
    const slow = async () => {
      await machine.quote()
      await machine.quote()
      check(await machine.quote())
    }
    const quick = async () => check(await machine.quote())
    await Promise.all([slow(), quick()])
  })
  expect(replayed).toEqual(recorded)
})

test('what comes from outside is not made again', async () => {
  let made = 0
  const { recorded, replayed } = await twice(async ({ check }) => {
    check(outside(() => ++made))
    check(await outside(async () => ++made))
  })
  expect([recorded, replayed]).toEqual([
    [1, 2],
    [1, 2],
  ])
})

test('a list that grows is written once, and is as long as it was at each read', async () => {
  const context = contextOf()
  const recorder = new CallRecorder()
  const scenario = async ({ machine, check }: Context) => {
    for (let at = 0; at < 200; at++) {
      await machine.quote()
      check(machine.list.join())
    }
  }
  await recorder.run(context, scenario)
  const calls = recorder.end()
  expect(JSON.stringify(calls).length).toBeLessThan(60_000)
  expect(await replay(calls, scenario)).toEqual(context.seen)
})

test('no private key is recorded', async () => {
  const pem = '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\n'
  const context = { key: pem, short: { key: pem.slice(0, 40) } }
  const recorder = new CallRecorder()
  recorder.run(context, ({ key, short }) => [key, short])
  expect(JSON.stringify(recorder.end())).not.toContain('BEGIN')
})

test('a replay ends with RecordingDiffers if the scenario makes another call', async () => {
  const recorder = new CallRecorder()
  await recorder.run(contextOf(), async ({ machine }) => void (await machine.quote()))
  const calls = recorder.end()
  await expect(
    replay(calls, async ({ machine }) => {
      await machine.quote()
      await machine.quote()
    }),
  ).rejects.toBeInstanceOf(RecordingDiffers)
})
