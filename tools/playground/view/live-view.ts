import { clearScreenDown, cursorTo, type Interface, moveCursor } from 'node:readline'
import type { WriteStream } from 'node:tty'
import type { Colours } from '../../../conformance/report/present-table.ts'
import type { View } from './line-view.ts'
import { presentStatuses, type Shown, widthOf } from './present-statuses.ts'

/** Maximum number of message lines that are drawn again. */
const KEPT = 60
/** Rows of the prompt. */
const OWN_ROWS = 1

/**
 * Redraws a table above the prompt, with the latest messages between the two. `now` returns milliseconds since 1970. The
 * current input line is preserved.
 */
export function liveView(
  out: WriteStream,
  prompt: Interface,
  { colours, now }: { readonly colours: Colours; readonly now: () => number },
): View {
  let statuses: readonly Shown[] = []
  let messages: readonly string[] = []
  let drawn: readonly string[] = []
  let typed = 0
  let isOver = false
  const rowsOf = (line: string) => Math.max(1, Math.ceil(widthOf(line) / sizeOf(out).columns))
  const sumOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + rowsOf(line), 0)
  const draw = () => {
    // Counted with the current width: the terminal may be narrower than when the lines were drawn.
    moveCursor(out, 0, -(sumOf(drawn) + typed + prompt.getCursorPos().rows))
    cursorTo(out, 0)
    clearScreenDown(out)
    const { columns, rows } = sizeOf(out)
    const available = rows - OWN_ROWS
    const look = { now: now(), width: columns, colours }
    const table = cutToFit(presentAll(statuses, look), available, rowsOf)
    drawn = [...table, ...lastThatFit(messages, available - sumOf(table), rowsOf)]
    typed = 0
    out.write(drawn.map((line) => `${line}\n`).join(''))
    // prompt() would reopen a closed interface.
    if (!isOver) prompt.prompt(true)
  }
  // Enter moves the cursor to the next row.
  prompt.on('line', () => {
    typed += 1
  })
  prompt.on('close', () => {
    isOver = true
  })
  return {
    show(shown) {
      statuses = shown
      draw()
    },
    say(text) {
      messages = [...messages, ...text.split('\n')].slice(-KEPT)
      draw()
    },
    close() {
      prompt.close()
      out.write('\n')
    },
  }
}

/** Size of a terminal; infinite if it is unknown, as for some serial lines. */
export function sizeOf({ columns, rows }: Partial<Pick<WriteStream, 'columns' | 'rows'>>) {
  const or = (size: number | undefined) => size || Number.POSITIVE_INFINITY
  return { columns: or(columns), rows: or(rows) }
}

function presentAll(statuses: readonly Shown[], look: Parameters<typeof presentStatuses>[1]) {
  return statuses.length === 0 ? [] : presentStatuses(statuses, look)
}

const CUT = '… (enlarge the terminal to see more)'

type RowsOf = (line: string) => number

/** Cuts the table, because rows above the top of the terminal cannot be redrawn. */
function cutToFit(lines: readonly string[], rows: number, rowsOf: RowsOf): readonly string[] {
  const shown = firstThatFit(lines, rows, rowsOf)
  return shown.length === lines.length ? lines : [...firstThatFit(lines, rows - 1, rowsOf), CUT]
}

function firstThatFit(lines: readonly string[], rows: number, rowsOf: RowsOf): readonly string[] {
  let left = rows
  const over = lines.findIndex((line) => {
    left -= rowsOf(line)
    return left < 0
  })
  return over < 0 ? lines : lines.slice(0, over)
}

function lastThatFit(lines: readonly string[], rows: number, rowsOf: RowsOf): readonly string[] {
  return firstThatFit(lines.toReversed(), rows, rowsOf).toReversed()
}
