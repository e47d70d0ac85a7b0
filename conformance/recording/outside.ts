import { AsyncLocalStorage } from 'node:async_hooks'

/** Records or replays what a scenario does beyond its context. */
interface Observer {
  outside(effect: () => unknown): unknown
}

const observers = new AsyncLocalStorage<Observer | undefined>()

/** Runs the code of a scenario, whose effects `observer` gets. */
export function observed<T>(observer: Observer, run: () => T): T {
  return observers.run(observer, run)
}

/** Runs code of the engine, whose effects are part of the call that a recording has already. */
export function unobserved<T>(run: () => T): T {
  return observers.run(undefined, run)
}

/**
 * The result of what depends on more than the arguments: a time, a new key, a file, a connection. Scenarios and the
 * functions that they call wrap such code in it, so that a replay gets the recorded result.
 */
export function outside<T>(effect: () => T): T {
  const observer = observers.getStore()
  return observer === undefined ? effect() : (observer.outside(effect) as T)
}

/** Milliseconds of a clock that never goes back. */
export const steadyClock = (): number => outside(() => performance.now())
