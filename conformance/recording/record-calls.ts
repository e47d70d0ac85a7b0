import { types } from 'node:util'
import { encodeEnding } from './endings.ts'
import {
  type Callable,
  type CallEvent,
  LIVE,
  METHOD,
  memberOf,
  OUTSIDE,
  presenceOf,
  type RecordedCalls,
  settingOf,
} from './events.ts'
import { observed, unobserved } from './outside.ts'
import { isData, ValueWriter } from './value-writer.ts'
import { encodeLeaf, isPlain, type Recorded } from './values.ts'

/** A method of an object, or a function that is one itself. */
interface Method {
  readonly id: number
  readonly name: string
  readonly raw?: object
}

/**
 * Records what a scenario receives from its context, so that its checks can be repeated without a target: every value
 * that it reads, every call with its result, and every call of its own functions. Values that are data are copied; an
 * object with methods becomes a handle, whose members are recorded in turn.
 */
export class CallRecorder {
  readonly #events: CallEvent[] = []
  readonly #ids = new Map<object, number>()
  readonly #proxies = new WeakMap<object, object>()
  readonly #raws = new WeakMap<object, object>()
  readonly #promises = new WeakMap<object, { readonly call: number; readonly given: unknown }>()
  readonly #writer = new ValueWriter((value) => this.#handle(value))
  /** The methods that the scenario has read, by object. */
  readonly #methods = new WeakMap<object, Set<string>>()
  #isOver = false

  /** Runs a scenario with a recorded context. Members that only record, such as `check`, stay as they are. */
  run<T extends object, R>(context: T, scenario: (context: T) => R): R {
    const recorded = this.#proxyOf(context, LIVE) as T
    this.#add(['get', OUTSIDE, 'context', this.#handle(context)])
    return observed(this, () => scenario(recorded))
  }

  /** Ends the recording and returns it: what clean-up does is no part of it. */
  end(): RecordedCalls {
    this.#isOver = true
    return { values: this.#writer.values, events: this.#events }
  }

  outside(effect: () => unknown): unknown {
    return this.#call(effect, { id: OUTSIDE, name: 'effect' }, [])
  }

  #add(event: CallEvent): void {
    if (!this.#isOver) this.#events.push(event)
  }

  #proxyOf(raw: object, live: ReadonlySet<string> = new Set()): object {
    const known = this.#proxies.get(raw)
    if (known !== undefined) return known
    const id = this.#idOf(raw)
    const proxy: object = new Proxy(typeof raw === 'function' ? () => undefined : {}, {
      get: (_, property) =>
        typeof property === 'symbol' || property === 'then'
          ? Reflect.get(raw, property, raw)
          : this.#read(raw, { id, name: property }, live),
      apply: (_, __, args: unknown[]) => this.#call(raw as Callable, { id, name: '' }, args),
      set: (_, property, value) => {
        const put = (given: unknown) => Reflect.set(raw, property, given)
        this.#call(put as Callable, { id, name: settingOf(property) }, [value])
        return true
      },
      has: (_, property) => {
        this.#add(['get', id, presenceOf(property), property in raw])
        return property in raw
      },
      ownKeys: () => Object.keys(raw),
      getOwnPropertyDescriptor: (_, property) =>
        Object.hasOwn(raw, property) ? memberOf(proxy, property) : undefined,
    })
    this.#proxies.set(raw, proxy)
    this.#raws.set(proxy, raw)
    return proxy
  }

  #idOf(raw: object): number {
    const id = this.#ids.get(raw) ?? this.#ids.size
    this.#ids.set(raw, id)
    return id
  }

  #read(raw: object, { id, name }: Method, live: ReadonlySet<string>): unknown {
    const value: unknown = Reflect.get(raw, name, raw)
    if (live.has(name)) {
      if (typeof value !== 'function') return value
      return (...args: unknown[]) =>
        value.apply(
          raw,
          args.map((one) => this.#unwrap(one)),
        )
    }
    if (typeof value === 'function') {
      if (isFirst(this.#methods, raw, name)) this.#add(['get', id, name, METHOD])
      return (...args: unknown[]) => this.#call(value as Callable, { id, name, raw }, args)
    }
    this.#add(['get', id, name, this.#writer.write(value)])
    return this.#wrap(value)
  }

  #call(method: Callable, { id, name, raw }: Method, args: readonly unknown[]): unknown {
    const call = this.#events.length
    this.#add(['call', id, name])
    let functions = 0
    const given = args.map((one) =>
      this.#unwrap(one, (own) => this.#callback(own, call, functions++)),
    )
    let returned: unknown
    try {
      returned = unobserved(() => method.apply(raw, given))
    } catch (error) {
      this.#add(['throw', call, encodeEnding(error), 'at once'])
      throw error
    }
    if (types.isPromise(returned)) return this.#settled(returned, call)
    this.#add(['end', call, this.#writer.write(returned), 'at once'])
    return this.#wrap(returned)
  }

  #settled(promise: Promise<unknown>, call: number): Promise<unknown> {
    return promise.then(
      (value) => {
        this.#add(['end', call, this.#writer.write(value)])
        return this.#wrap(value)
      },
      (error) => {
        this.#add(['throw', call, encodeEnding(error)])
        throw error
      },
    )
  }

  /** A promise in a value, as a call without a method. */
  #promise(promise: Promise<unknown>) {
    const known = this.#promises.get(promise)
    if (known !== undefined) return known
    const call = this.#events.length
    this.#add(['call', OUTSIDE, 'promise'])
    const made = { call, given: this.#settled(promise, call) }
    this.#promises.set(promise, made)
    return made
  }

  /** A function of the scenario as the engine gets it. */
  #callback(own: Callable, call: number, at: number): Callable {
    return (...args) => {
      this.#add(['back', call, at, args.map((one) => this.#writer.write(one))])
      const returned = observed(this, () => own(...args.map((one) => this.#wrap(one))))
      return types.isPromise(returned)
        ? returned.then((value) => this.#unwrap(value))
        : this.#unwrap(returned)
    }
  }

  /** A value of the scenario with the recorded objects in place of their proxies. */
  #unwrap(value: unknown, callback: (own: Callable) => unknown = (own) => own): unknown {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value
    const raw = this.#raws.get(value)
    if (raw !== undefined) return raw
    if (typeof value === 'function') return callback(value as Callable)
    return mapMembers(value, (one) => this.#unwrap(one, callback))
  }

  /** A value as the scenario gets it: data as it is, objects with methods as proxies. */
  #wrap(value: unknown): unknown {
    if (encodeLeaf(value) !== undefined || value instanceof Map || value instanceof Set)
      return value
    if (isData(value)) return mapMembers(value, (one) => this.#wrap(one))
    return types.isPromise(value) ? this.#promise(value).given : this.#proxyOf(value as object)
  }

  #handle(raw: object): Recorded {
    if (types.isPromise(raw)) return { $: 'promise', value: this.#promise(raw).call }
    const keys = Object.keys(raw)
    const callable = typeof raw === 'function' ? { callable: true } : {}
    return { $: 'handle', value: { id: this.#idOf(raw), keys, ...callable } }
  }
}

/** Whether a name is new to those of an object; it is not after that. */
function isFirst(all: WeakMap<object, Set<string>>, raw: object, name: string): boolean {
  const names = all.get(raw) ?? new Set()
  if (names.has(name)) return false
  all.set(raw, names.add(name))
  return true
}

/** The list or plain object with other members; itself if none changes, and any other object. */
function mapMembers(value: object, change: (member: unknown) => unknown): object {
  if (Array.isArray(value)) {
    const members = value.map(change)
    return members.every((one, at) => Object.is(one, value[at])) ? value : members
  }
  if (!isPlain(value)) return value
  const entries = Object.entries(value)
  const members = entries.map(([name, one]) => [name, change(one)] as const)
  return members.every(([, one], at) => Object.is(one, entries[at]?.[1]))
    ? value
    : Object.fromEntries(members)
}
