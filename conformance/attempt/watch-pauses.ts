const EVERY_MS = 200

/** A watch for moments in which this process did not run. */
export interface PauseWatch {
  /** Ends the watch; returns the longest pause in milliseconds. */
  end(): number
}

/**
 * Watches for pauses of this process, as when its machine is suspended: a repeated call comes later than it is due.
 * Every limit of time that passes during a pause says nothing about a subject that may have paused too.
 */
export function watchPauses(now: () => number): PauseWatch {
  let last = now()
  let longest = 0
  const look = (): void => {
    const at = now()
    longest = Math.max(longest, at - last - EVERY_MS)
    last = at
  }
  const timer = setInterval(look, EVERY_MS).unref()
  return {
    end() {
      clearInterval(timer)
      look()
      return longest
    },
  }
}
