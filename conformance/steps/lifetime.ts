import { attributes, type Reply } from '../attempt/reply.ts'

/** Milliseconds by which a lifetime may differ from the configured one: clocks of seconds, and the time of the request. */
const TOLERANCE_MS = 1000

/** Arguments of `matches` for milliseconds that are a configured lifetime. */
export function lastsAsConfigured(configured: number) {
  const holds = (ms: number) => Math.abs(ms - configured) <= TOLERANCE_MS
  return [`${configured}, as the target file says`, holds] as const
}

/** Milliseconds between two time stamps of a push document. NaN if it lacks one of them. */
export function lifetimeOf(reply: Reply, from: string, to: string): number {
  return Date.parse(String(attributes(reply, to))) - Date.parse(String(attributes(reply, from)))
}
