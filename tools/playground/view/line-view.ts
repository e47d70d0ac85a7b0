import { type Shown, statusLineOf } from './present-statuses.ts'

/** Output of the playground. */
export interface View {
  /** Shows the status of all machines. */
  show(shown: readonly Shown[]): void
  say(text: string): void
  close(): void
}

type Stream = Pick<NodeJS.WritableStream, 'write'>

/** Plain output: a line whenever verdict, state or failure of a machine changes; `now` returns milliseconds. */
export function lineView(out: Stream, now: () => number): View {
  const began = now()
  const last = new Map<string, string>()
  const print = (line: string) => void out.write(`${line}\n`)
  return {
    show(shown) {
      for (const one of shown) {
        const line = statusLineOf(one)
        if (last.get(one.name) === line) continue
        last.set(one.name, line)
        print(`${((now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}`)
      }
    },
    say: print,
    close: () => undefined,
  }
}
