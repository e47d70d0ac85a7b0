import { stripVTControlCharacters } from 'node:util'
import { cutAt } from '../visible.ts'

/** A terminal, a file, a pipe, or a list in a test. */
export interface OutputStream {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  readonly rows?: number | undefined
}

/** Calls `tick` every `ms` milliseconds, until the returned function is called. */
export type Ticker = (ms: number, tick: () => void) => () => void

export const realTicker: Ticker = (ms, tick) => {
  const timer = setInterval(tick, ms)
  timer.unref()
  return () => clearInterval(timer)
}

/** How far a command is; an empty line is not shown. */
export interface Situation {
  /** One line, for output that is no terminal. */
  line(): string
  /** Lines for a terminal with so many rows; absent: the one line. */
  lines?(rows: number): readonly string[]
}

/** Output with lines that change in place on a terminal. */
export interface LiveLines {
  /** Writes lines that stay. */
  print(...lines: readonly string[]): void
  /** Leaves the changing lines where they are: something else has been written below them, such as a signal's message. */
  leave(): void
  /** Removes the changing lines. */
  close(): void
}

export interface LiveOptions {
  readonly stream: OutputStream
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly ticker?: Ticker
}

/** How often a line is written without a terminal. */
const LINE_EACH_MS = 5000
const DRAW_EACH_MS = 200
/** The size of a terminal that does not tell it. */
const USUAL = { columns: 80, rows: 24 }

/** Whether lines can change in place: not in CI, whose logs keep every state of a line. */
function canChange(
  { isTTY }: OutputStream,
  { TERM, CI = '' }: Readonly<Record<string, string | undefined>>,
): boolean {
  return isTTY === true && TERM !== 'dumb' && (CI === '' || CI === 'false')
}

/**
 * Shows how far a command is: on a terminal in lines that change in place, otherwise in a line every five seconds. The
 * cursor stays visible below these lines, so that a command that ends by a signal leaves nothing to repair.
 */
export function openLiveLines(options: LiveOptions, situation: Situation): LiveLines {
  const { stream, environment = process.env, ticker = realTicker } = options
  return canChange(stream, environment)
    ? changingLines(stream, ticker, situation)
    : regularLines(stream, ticker, situation)
}

const isShown = (line: string): boolean => line !== ''

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

function regularLines(stream: OutputStream, ticker: Ticker, { line }: Situation): LiveLines {
  const close = ticker(LINE_EACH_MS, () => stream.write(textOf([line()].filter(isShown))))
  return { print: (...lines) => void stream.write(textOf(lines)), leave: close, close }
}

function changingLines(stream: OutputStream, ticker: Ticker, situation: Situation): LiveLines {
  let drawn: readonly string[] = []
  const erase = (): string => {
    const rows = drawn.reduce((sum, line) => sum + rowsOf(line, stream.columns), 0)
    drawn = []
    return rows === 0 ? '' : `\x1b[${rows}A\r\x1b[J`
  }
  const draw = (kept: readonly string[]): void => {
    const { columns, rows } = sizeOf(stream)
    const shown = situation.lines?.(rows - 1) ?? [situation.line()]
    const fitting = shown
      .filter(isShown)
      .slice(0, rows - 1)
      .map((line) => fitted(line, columns - 1))
    if (kept.length === 0 && fitting.join('\n') === drawn.join('\n')) return
    const before = erase()
    drawn = fitting
    stream.write(`${before}${textOf(kept)}${textOf(fitting)}`)
  }
  let isOver = false
  const stop = ticker(DRAW_EACH_MS, () => draw([]))
  const leave = (): void => {
    isOver = true
    drawn = []
    stop()
  }
  return {
    print: (...lines) => (isOver ? void stream.write(textOf(lines)) : draw(lines)),
    leave,
    close() {
      const last = erase()
      leave()
      if (last !== '') stream.write(last)
    },
  }
}

function sizeOf({ columns, rows }: OutputStream): typeof USUAL {
  return { columns: columns || USUAL.columns, rows: rows || USUAL.rows }
}

/** Rows of a line that was drawn on a terminal which may have become narrower since. */
function rowsOf(line: string, columns: number | undefined): number {
  const { length } = stripVTControlCharacters(line)
  return Math.max(1, Math.ceil(length / (columns || USUAL.columns)))
}

/** The line, or if it is wider its beginning without colour. */
function fitted(line: string, width: number): string {
  const plain = stripVTControlCharacters(line)
  return plain.length <= width ? line : `${cutAt(plain, Math.max(0, width - 1))}…`
}
