import { setImmediate as settle } from 'node:timers/promises'
import { capture } from '../attempt/capture.ts'
import { deferred } from '../attempt/deferred.ts'
import { decodeEnding } from './endings.ts'
import {
  type Callable,
  type CallEvent,
  METHOD,
  memberOf,
  OUTSIDE,
  presenceOf,
  type RecordedCalls,
  settingOf,
} from './events.ts'
import { observed } from './outside.ts'
import { decodeSpecial, isPlain, type Recorded, type RecordedHandle } from './values.ts'

/** The scenario does something else than in its recording. */
export class RecordingDiffers extends Error {}

/** How long a scenario may compute before its next recorded call, in milliseconds. */
const LONGEST_MS = 10_000

/** Gives a scenario what it received when it was recorded, in the same order. */
export class CallReplay {
  readonly #events: readonly CallEvent[]
  readonly #values: readonly Recorded[]
  readonly #decoded = new Map<number, unknown>()
  /** Events of reads and calls that the scenario did not get to yet, by handle and member. */
  readonly #left = new Map<string, number[]>()
  readonly #lastRead = new Map<string, number>()
  /** The event that ended a call, by the index of the call. */
  readonly #ends = new Map<number, number>()
  readonly #proxies = new Map<number, object>()
  readonly #recorded = new WeakSet<object>()
  /** The calls that the scenario has made. */
  readonly #taken = new Set<number>()
  /** The promises that the scenario waits for, and the functions that it gave to a call, by call. */
  readonly #started = new Map<number, ReturnType<typeof deferred<unknown>>>()
  readonly #own = new Map<number, readonly Callable[]>()
  #onStart: ReturnType<typeof deferred<void>> = deferred()

  constructor({ values, events }: RecordedCalls) {
    this.#values = values
    this.#events = events
    for (const [at, event] of events.entries()) {
      const [kind, handle, member] = event
      if (kind === 'get' || kind === 'call') {
        const key = keyOf(handle, `${kind} ${String(member)}`)
        const left = this.#left.get(key) ?? []
        left.push(at)
        this.#left.set(key, left)
      }
      if (kind === 'end' || kind === 'throw') this.#ends.set(handle, at)
    }
  }

  /** Runs a scenario with the recorded context. `live` are the members that a replay has itself. */
  run<T extends object, R>(live: Partial<T>, scenario: (context: T) => R): R {
    const recorded = this.#read(OUTSIDE, 'context') as object
    const context = new Proxy(recorded, {
      get: (_, property) => Reflect.get(property in live ? live : recorded, property),
    })
    return observed(this, () => scenario(context as T))
  }

  outside(): unknown {
    return this.#call(OUTSIDE, 'effect', [])
  }

  /** Fulfils calls and calls functions in the recorded order, until `ended` aborts or the recording ends. */
  async fulfil(ended: AbortSignal): Promise<void> {
    for (const [at, event] of this.#events.entries()) {
      if (this.#isDone(event, at)) continue
      await this.#reached(event[0] === 'call' ? at : event[1], ended)
      if (ended.aborted) return
      this.#perform(event)
      if (event[0] !== 'call') await settled()
    }
  }

  /** Whether nothing is left to do for an event: reads, and calls that return at once, are the scenario's own steps. */
  #isDone(event: CallEvent, at: number): boolean {
    const [kind, call] = event
    if (kind === 'get') return true
    if (kind === 'call') return this.#isPromise(at)
    if (kind !== 'back') return event[3] === 'at once'
    const end = this.#ends.get(call) ?? -1
    return end > at && this.#events[end]?.[3] === 'at once'
  }

  #perform(event: CallEvent): void {
    if (event[0] === 'call' || event[0] === 'get') return
    const [kind, call, third, args] = event
    const started = this.#started.get(call)
    // What comes of it is recorded too: the result of the call that it is for.
    if (kind === 'back')
      void capture(async () => {
        await this.#callBack(this.#own.get(call)?.[third], args)
      })
    else if (kind === 'end') started?.resolve(this.#decode(third))
    else started?.reject(decodeEnding(third))
  }

  #callBack(own: Callable | undefined, args: readonly Recorded[]): unknown {
    return observed(this, () => own?.(...args.map((one) => this.#decode(one))))
  }

  #isPromise(call: number): boolean {
    const event = this.#events[call]
    return event?.[0] === 'call' && event[1] === OUTSIDE && event[2] === 'promise'
  }

  async #reached(call: number, ended: AbortSignal): Promise<void> {
    const deadline = performance.now() + LONGEST_MS
    if (this.#isPromise(call)) void this.#start(call)
    while (!this.#taken.has(call) && !ended.aborted) {
      if (performance.now() > deadline)
        throw new RecordingDiffers(`the scenario does not get to ${this.#nameOf(call)}`)
      await Promise.race([this.#onStart.promise, settle()])
    }
  }

  #nameOf(call: number): string {
    const [, handle, member] = this.#events[call] ?? []
    return `its call of ${String(member)} (object ${String(handle)})`
  }

  #proxyOf({ id, keys, callable }: RecordedHandle): object {
    const known = this.#proxies.get(id)
    if (known !== undefined) return known
    const proxy: object = new Proxy(callable ? () => undefined : {}, {
      get: (_, property) => {
        if (typeof property === 'symbol' || property === 'then') return undefined
        return this.#read(id, property)
      },
      apply: (_, __, args: unknown[]) => this.#call(id, '', args),
      set: (_, property, value) => {
        this.#call(id, settingOf(property), [value])
        return true
      },
      has: (_, property) => this.#read(id, presenceOf(property)) === true,
      ownKeys: () => [...keys],
      getOwnPropertyDescriptor: (_, property) =>
        keys.includes(String(property)) ? memberOf(proxy, property) : undefined,
    })
    this.#proxies.set(id, proxy)
    this.#recorded.add(proxy)
    return proxy
  }

  #read(id: number, name: string): unknown {
    const key = keyOf(id, `get ${name}`)
    const at = this.#left.get(key)?.shift() ?? this.#lastRead.get(key)
    const event = at === undefined ? undefined : this.#events[at]
    if (at === undefined || event?.[0] !== 'get') return undefined
    this.#lastRead.set(key, at)
    const value = this.#decode(event[3])
    return value === METHOD ? (...args: unknown[]) => this.#call(id, name, args) : value
  }

  #call(id: number, name: string, args: readonly unknown[]): unknown {
    const call = this.#left.get(keyOf(id, `call ${name}`))?.shift()
    if (call === undefined)
      throw new RecordingDiffers(`the scenario calls ${name} more often than it did`)
    this.#taken.add(call)
    const own = this.#functionsIn(args)
    this.#own.set(call, own)
    const [kind, , value, when] = this.#events[this.#ends.get(call) ?? -1] ?? []
    if (when === 'at once') {
      const end = this.#ends.get(call) ?? 0
      for (const event of this.#events.slice(call, end))
        if (event[0] === 'back' && event[1] === call) this.#callBack(own[event[2]], event[3])
      if (kind === 'throw') throw decodeEnding(value as Recorded)
      return this.#decode(value as Recorded)
    }
    return this.#start(call)
  }

  #start(call: number): Promise<unknown> {
    const known = this.#started.get(call)
    if (known !== undefined) return known.promise
    const result = deferred<unknown>()
    result.promise.catch(() => undefined)
    this.#taken.add(call)
    this.#started.set(call, result)
    this.#onStart.resolve()
    this.#onStart = deferred()
    return result.promise
  }

  /** The functions of the scenario in the arguments of a call, in the order in which they were recorded. */
  #functionsIn(value: unknown): readonly Callable[] {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return []
    if (this.#recorded.has(value)) return []
    if (typeof value === 'function') return [value as Callable]
    if (Array.isArray(value)) return value.flatMap((one) => this.#functionsIn(one))
    return isPlain(value) ? Object.values(value).flatMap((one) => this.#functionsIn(one)) : []
  }

  #decode(recorded: Recorded): unknown {
    if (typeof recorded !== 'object' || recorded === null) return recorded
    if (Array.isArray(recorded)) return recorded.map((one) => this.#decode(one))
    const { $: kind, value } = recorded as { readonly $?: string; readonly value: Recorded }
    if (kind === undefined)
      return this.#decodeMembers(recorded as Readonly<Record<string, Recorded>>)
    if (kind === 'object') return this.#decodeMembers(value as Readonly<Record<string, Recorded>>)
    if (kind === 'handle') return this.#proxyOf(value as unknown as RecordedHandle)
    if (kind === 'at') return this.#decodedAt(Number(value))
    if (kind === METHOD.$) return METHOD
    if (kind === 'promise') return this.#start(Number(value))
    if (kind === 'longer') {
      const [before, ...more] = value as readonly Recorded[]
      const first = this.#decode({ $: 'at', value: before ?? null }) as readonly unknown[]
      return [...first, ...more.map((one) => this.#decode(one))]
    }
    if (kind === 'map') return new Map(this.#decode(value) as [unknown, unknown][])
    if (kind === 'set') return new Set(this.#decode(value) as unknown[])
    return decodeSpecial(kind, value)
  }

  #decodedAt(index: number): unknown {
    if (!this.#decoded.has(index))
      this.#decoded.set(index, this.#decode(this.#values[index] ?? null))
    return this.#decoded.get(index)
  }

  #decodeMembers(members: Readonly<Record<string, Recorded>>): unknown {
    return Object.fromEntries(
      Object.entries(members).map(([name, one]) => [name, this.#decode(one)]),
    )
  }
}

function keyOf(handle: number, member: string): string {
  return `${handle}.${member}`
}

/** Lets the scenario go on until it waits again. */
async function settled(): Promise<void> {
  await settle()
  await settle()
}
