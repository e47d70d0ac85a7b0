/** Milliseconds of the wall clock. */
export function now(): number {
  return performance.now()
}

/** Milliseconds of processor time of this process. */
export function busy(): number {
  return process.cpuUsage().user / 1000
}
