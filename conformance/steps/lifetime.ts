import { attributes, type Reply } from '../attempt/reply.ts'

/** Milliseconds by which a measured or configured time may be exceeded: clocks of seconds, and the time of a request. */
const TOLERANCE_MS = 1000

/** Arguments of `matches` for milliseconds that are a configured lifetime. */
export function lastsAsConfigured(configured: number) {
  const holds = (ms: number) => Math.abs(ms - configured) <= TOLERANCE_MS
  return [`${configured}, as the target file says`, holds] as const
}

/** Arguments of `matches` for milliseconds between two requests, of which the harness knows the least and the most. */
export function liesBetween(least: number, most: number) {
  const holds = (ms: number) => ms >= least - TOLERANCE_MS && ms <= most + TOLERANCE_MS
  return [`about ${least} to ${most}, as measured`, holds] as const
}

/** Milliseconds between two time stamps of a push document. NaN if it lacks one of them. */
export function millisecondsBetween(reply: Reply, from: string, to: string): number {
  return Date.parse(String(attributes(reply, to))) - Date.parse(String(attributes(reply, from)))
}
