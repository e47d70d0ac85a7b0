import { stripVTControlCharacters } from 'node:util'
import type { LiveOptions, OutputStream } from '../console/live-lines.ts'

/** Movements that the console uses: up so many rows, to the left edge, and remove everything from there on. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal obeys them
export const ERASE = /^\x1b\[(\d+)A\r\x1b\[J/

/** A terminal that shows what was written to it; a line that no longer fits its width continues on the next row. */
export interface FakeTerminal extends OutputStream {
  columns: number
  rows: number
  /** Everything that was written. */
  readonly written: () => string
  /** The rows of the screen and above it, the cursor's last. */
  readonly screen: () => readonly string[]
}

export function fakeTerminal(size: { columns?: number; rows?: number } = {}): FakeTerminal {
  let all = ''
  let lines: readonly string[] = ['']
  const terminal: FakeTerminal = {
    ...{ isTTY: true, columns: 80, rows: 24, ...size },
    write(text) {
      all += text
      let left = text
      for (let found = ERASE.exec(left); found !== null; found = ERASE.exec(left)) {
        const rows = terminal.screen()
        lines = [...rows.slice(0, Math.max(0, rows.length - 1 - Number(found[1]))), '']
        left = left.slice(found[0].length)
      }
      const [first = '', ...rest] = stripVTControlCharacters(left).split('\n')
      lines = [...lines.slice(0, -1), `${lines.at(-1)}${first}`, ...rest]
    },
    written: () => all,
    screen: () => lines.flatMap((line) => rowsOf(line, terminal.columns)),
  }
  return terminal
}

function rowsOf(line: string, columns: number): readonly string[] {
  const count = Math.max(1, Math.ceil(line.length / columns))
  return Array.from({ length: count }, (_, at) => line.slice(at * columns, (at + 1) * columns))
}

/** A ticker that ticks when the test says so. */
export function fakeTicker() {
  const ticks = new Map<() => void, number>()
  const ticker: NonNullable<LiveOptions['ticker']> = (ms, tick) => {
    ticks.set(tick, ms)
    return () => void ticks.delete(tick)
  }
  return {
    ticker,
    tick: () => {
      for (const tick of ticks.keys()) tick()
    },
    /** The times between the ticks that were asked for and not ended. */
    running: () => [...ticks.values()],
  }
}
