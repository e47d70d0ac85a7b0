import { readFileSync } from 'node:fs'
import { type Clock, systemClock } from '../../platform/clock.ts'

/**
 * A clock that a file moves ahead: each of its lines is a number of seconds. An added line moves it, for every
 * process that goes by it, and across their restarts; without a file it is the system clock.
 */
export function movedClock(file: string, base: Clock = systemClock): Clock {
  const moved = () => 1000 * secondsIn(file)
  return { now: () => base.now() + moved(), awake: () => base.awake() + moved() }
}

function secondsIn(file: string): number {
  const seconds = linesOf(file).map(Number)
  const wrong = seconds.findIndex((one) => !Number.isFinite(one))
  if (wrong !== -1) throw new RangeError(`${file}, line ${wrong + 1}: not a number of seconds`)
  return seconds.reduce((sum, one) => sum + one, 0)
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
