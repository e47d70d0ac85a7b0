import { clearScreenDown, cursorTo, type Interface, moveCursor } from 'node:readline'
import type { WriteStream } from 'node:tty'
import type { Colours } from '../report/present-table.ts'
import type { View } from './line-view.ts'
import { presentSights, type Shown, widthOf } from './present-sights.ts'

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
  let sights: readonly Shown[] = []
  let said: readonly string[] = []
  let above = 0
  const rowsOf = (line: string) => Math.max(1, Math.ceil(widthOf(line) / out.columns))
  const sumOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + rowsOf(line), 0)
  const draw = () => {
    moveCursor(out, 0, -(above + prompt.getCursorPos().rows))
    cursorTo(out, 0)
    clearScreenDown(out)
    const look = { now: now(), width: out.columns, colours }
    const table = sights.length === 0 ? [] : presentSights(sights, look)
    const lines = [...table, ...lastThatFit(said, out.rows - OWN_ROWS - sumOf(table), rowsOf)]
    out.write(lines.map((line) => `${line}\n`).join(''))
    above = sumOf(lines)
    prompt.prompt(true)
  }
  // The terminal has gone to the next row by itself.
  prompt.on('line', () => {
    above += 1
  })
  return {
    show(shown) {
      sights = shown
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

/** The last lines that have room in so many rows. */
function lastThatFit(
  lines: readonly string[],
  rows: number,
  rowsOf: (line: string) => number,
): readonly string[] {
  let left = rows
  const first = lines.findLastIndex((line) => {
    left -= rowsOf(line)
    return left < 0
  })
  return lines.slice(first + 1)
}
