/** Milliseconds by which a lifetime may differ from the configured one: clocks of seconds, and the time of the request. */
const TOLERANCE_MS = 1000

/** Arguments of `matches` for milliseconds that are a configured lifetime. */
export function lastsAsConfigured(configured: number) {
  const holds = (ms: number) => Math.abs(ms - configured) <= TOLERANCE_MS
  return [`${configured}, as the target file says`, holds] as const
}
