import { clearScreenDown, cursorTo, type Interface, moveCursor } from 'node:readline'
import type { WriteStream } from 'node:tty'
import type { Colours } from '../../../conformance/report/present-table.ts'
import type { View } from './line-view.ts'
import { presentStatuses, type Shown, widthOf } from './present-statuses.ts'

/** Lines that were said and may still be in sight. */
const KEPT = 60
/** The prompt, and what is typed there in one line. */
const OWN_ROWS = 1

/**
 * A table that is drawn anew in its place above the prompt, with what was said last between the two. `now` is in
 * milliseconds since 1970. What is being typed stays.
 */
export function liveView(
  out: WriteStream,
  prompt: Interface,
  { colours, now }: { readonly colours: Colours; readonly now: () => number },
): View {
  let statuses: readonly Shown[] = []
  let said: readonly string[] = []
  let drawn: readonly string[] = []
  let typed = 0
  let isOver = false
  const rowsOf = (line: string) => Math.max(1, Math.ceil(widthOf(line) / sizeOf(out).columns))
  const sumOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + rowsOf(line), 0)
  const draw = () => {
    // Counted now: in a terminal that has become narrower they take more rows than when they were drawn.
    moveCursor(out, 0, -(sumOf(drawn) + typed + prompt.getCursorPos().rows))
    cursorTo(out, 0)
    clearScreenDown(out)
    const { columns, rows } = sizeOf(out)
    const room = rows - OWN_ROWS
    const look = { now: now(), width: columns, colours }
    const table = cutToFit(presentAll(statuses, look), room, rowsOf)
    drawn = [...table, ...lastThatFit(said, room - sumOf(table), rowsOf)]
    typed = 0
    out.write(drawn.map((line) => `${line}\n`).join(''))
    // One that is closed would listen again.
    if (!isOver) prompt.prompt(true)
  }
  // The terminal has gone to the next row by itself.
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
      said = [...said, ...text.split('\n')].slice(-KEPT)
      draw()
    },
    close() {
      prompt.close()
      out.write('\n')
    },
  }
}

/** How large a terminal is; one that does not say, as some that are no window, counts as large enough. */
export function sizeOf({ columns, rows }: Partial<Pick<WriteStream, 'columns' | 'rows'>>) {
  const or = (size: number | undefined) => size || Number.POSITIVE_INFINITY
  return { columns: or(columns), rows: or(rows) }
}

function presentAll(statuses: readonly Shown[], look: Parameters<typeof presentStatuses>[1]) {
  return statuses.length === 0 ? [] : presentStatuses(statuses, look)
}

const CUT = '… and more, in a higher terminal'

type RowsOf = (line: string) => number

/** What has left a terminal at its top cannot be drawn anew. */
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
