import { visible } from '../visible.ts'
import { type LiveOptions, openLiveLines } from './live-lines.ts'

/** The output of a command: lines that stay, and how far it is. */
export interface Console {
  say(line: string): void
  /** Shows what the command does from now on; `line` receives the milliseconds since this call. */
  does(line: (ms: number) => string): void
  /** Called when a signal ends the command. */
  interrupted(): void
  close(): void
}

export interface ConsoleOptions extends LiveOptions {
  /** The clock in milliseconds. */
  readonly now?: () => number
}

/** Opens the output of a command. Text of a subject reaches it only escaped. */
export function openConsole(options: ConsoleOptions): Console {
  const { now = () => performance.now() } = options
  let doing: () => string = () => ''
  const live = openLiveLines(options, { line: () => visible(doing()) })
  return {
    say: (line) => live.print(visible(line)),
    does(line) {
      const began = now()
      doing = () => line(now() - began)
    },
    interrupted: live.leave,
    close: live.close,
  }
}
