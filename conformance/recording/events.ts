import type { Recorded } from './values.ts'

/** What happened between a scenario and its context, in order. A call is named by the index of its event. */
export type CallEvent =
  /** The scenario read a member. */
  | readonly ['get', handle: number, member: string, value: Recorded]
  | readonly ['call', handle: number, method: string]
  /** The call `call` returned, or its promise was fulfilled. */
  | readonly ['end', call: number, value: Recorded, when?: 'at once']
  | readonly ['throw', call: number, error: Recorded, when?: 'at once']
  /** A function that the scenario gave to a call was called: the one at `at` among the functions in its arguments. */
  | readonly ['back', call: number, at: number, args: readonly Recorded[]]

/** What a scenario received, without what it sent. */
export interface RecordedCalls {
  /** Texts, lists and objects, to which others refer by index. */
  readonly values: readonly Recorded[]
  readonly events: readonly CallEvent[]
}

/** A function of a scenario, or a method of what it works with. */
export type Callable = (...args: unknown[]) => unknown

/** The descriptor of a member of a proxy, which stands for an object that the proxy is not. */
export function memberOf(proxy: object, member: string | symbol): PropertyDescriptor {
  const value: unknown = Reflect.get(proxy, member)
  return { value, configurable: true, enumerable: true, writable: true }
}

/** The value of a member that is a function. */
export const METHOD = { $: 'method', value: null } as const

/** The name of the call that sets a member. */
export function settingOf(member: string | symbol): string {
  return `${String(member)} =`
}

/** The name of what is read where code asks whether an object has a member. */
export function presenceOf(member: string | symbol): string {
  return `${String(member)} in`
}

/** The handle of what a scenario does beyond its context. */
export const OUTSIDE = -1

/** Members of a context that record what a scenario finds. A replay has its own. */
export const LIVE: ReadonlySet<string> = new Set([
  ...['asks', 'check', 'checkReply', 'cleanUp', 'note', 'notApplicable', 'observe', 'version'],
])
